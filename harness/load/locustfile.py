"""What the users of a Locust swarm send, and what they saw: start masters with this file. tracetax gives `--load` to each."""

import json
import random
import time

from gevent.event import Event
from locust import FastHttpUser, events, task
from locust.runners import WorkerRunner

ANSWER_WITHIN_SECONDS = 10.0

# Users that are there before others wait for them: else they would send for longer than the load lasts.
all_users_are_there = Event()


@events.test_start.add_listener
def hold_users(**_):
    all_users_are_there.clear()


@events.spawning_complete.add_listener
def let_users_send(**_):
    all_users_are_there.set()


@events.init_command_line_parser.add_listener
def add_argument(parser):
    parser.add_argument("--load", default="{}", include_in_web_ui=False, help="what each user sends, as JSON")


class Connection(FastHttpUser):
    network_timeout = connection_timeout = ANSWER_WITHIN_SECONDS

    def on_start(self):
        # By itself, Locust takes redirects for good.
        self.client.client.valid_response_codes = range(200, 300)
        load = json.loads(self.environment.parsed_options.load)
        self.weights, self.interval = load["weights"], load["intervalSeconds"]
        self.requests = [request | {"data": request["data"].encode("latin-1") or None} for request in load["requests"]]
        all_users_are_there.wait()
        # Users that begin at once would send at once.
        self.due = time.perf_counter() - random.random() * self.interval
        self.wait()

    def wait_time(self):
        now = time.perf_counter()
        self.due = max(now, self.due + self.interval)
        return self.due - now

    @task
    def send(self):
        [request] = random.choices(self.requests, self.weights)
        self.client.request(**request, name="all", allow_redirects=False)


@events.test_stopping.add_listener
def await_answers(environment, **_):
    environment.stop_timeout = ANSWER_WITHIN_SECONDS


@events.test_stop.add_listener
def report(environment, **_):
    # Else a worker would wait for so long before it is ready again.
    environment.stop_timeout = 0
    # Else what came since the last report, of every 3 s, would be lost.
    if isinstance(environment.runner, WorkerRunner):
        environment.runner._send_stats()


@events.init.add_listener
def add_page(environment, web_ui, **_):
    if not web_ui:
        return

    runner, wanted = environment.runner, environment.parsed_options.expect_workers
    states = {
        "running": lambda: runner.state == "running",
        # Locust's own state is "ready" without any worker, too.
        "ready": lambda: len(runner.clients.ready) == len(runner.clients) >= wanted,
    }

    # Locust's own /stats/requests may be 2 s old.
    @web_ui.app.route("/tracetax/<state>", methods=["POST"])
    def page(state):
        while not states[state]():
            time.sleep(0.02)
        total = environment.stats.total
        shares = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99, "p999": 0.999}
        times_ms = {name: total.get_response_time_percentile(share) for name, share in shares.items()}
        times_ms |= {"mean": total.avg_response_time, "max": total.max_response_time}
        return {
            "statuses": {"2xx": total.num_requests - total.num_failures},
            "failures": {error.to_name(): error.occurrences for error in environment.stats.errors.values()},
            "latencyUs": {name: ms * 1000 for name, ms in times_ms.items()},
        }
