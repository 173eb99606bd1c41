"""What the users of a Locust swarm send, and what they saw: start masters with this file. tracetax gives `--load` to each."""

import json
import random
import time

from gevent import GreenletExit
from locust import FastHttpUser, constant_throughput, events, task
from locust.runners import WorkerRunner


@events.init_command_line_parser.add_listener
def add_argument(parser):
    parser.add_argument("--load", default="{}", include_in_web_ui=False, help="what each user sends, as JSON")


# Requests for which a server works on when its user is stopped: of this worker until it reports; in a master, of all.
under_way = 0


class Connection(FastHttpUser):
    network_timeout = connection_timeout = 10.0

    def on_start(self):
        # By itself, Locust takes redirects for good.
        self.client.client.valid_response_codes = range(200, 300)
        load = json.loads(self.environment.parsed_options.load)
        self.requests = load["requests"]
        self.weights = [request.pop("weight") for request in self.requests]
        for request in self.requests:
            request["data"] = request["data"].encode("latin-1") or None
        if load["perSecond"]:
            pace = constant_throughput(load["perSecond"])
            self.wait_time = lambda: pace(self)
            # Users that begin at once would send at once, and Locust's pace counts from when a user was made.
            time.sleep(random.random() / load["perSecond"])
            self._cp_last_run = time.perf_counter()

    @task
    def send(self):
        [request] = random.choices(self.requests, self.weights)
        try:
            self.client.request(**request, name="all", allow_redirects=False)
        except GreenletExit:
            global under_way
            under_way += 1
            raise


@events.report_to_master.add_listener
def add_under_way(data, **_):
    global under_way
    data["under_way"], under_way = under_way, 0


@events.worker_report.add_listener
def sum_under_way(data, **_):
    global under_way
    under_way += data["under_way"]


@events.test_start.add_listener
def begin(**_):
    global under_way
    under_way = 0


@events.test_stop.add_listener
def report(environment, **_):
    # Else what came since the last report, of every 3 s, would be lost.
    if isinstance(environment.runner, WorkerRunner):
        environment.runner._send_stats()


@events.init.add_listener
def add_page(environment, web_ui, **_):
    if not web_ui:
        return

    # GET /stats/requests may be 2 s old.
    @web_ui.app.route("/tracetax")
    def page():
        total, runner, workers = environment.stats.total, environment.runner, environment.runner.clients
        # Locust's own state is "ready" without any worker, too.
        is_ready = len(workers.ready) == len(workers) >= environment.parsed_options.expect_workers
        shares = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99, "p999": 0.999}
        times_ms = {name: total.get_response_time_percentile(share) for name, share in shares.items()}
        times_ms |= {"mean": total.avg_response_time, "max": total.max_response_time}
        return {
            "state": "running" if runner.state == "running" else "ready" if is_ready else "busy",
            "requests": total.num_requests - total.num_failures,
            "errors": {error.to_name(): error.occurrences for error in environment.stats.errors.values()},
            "underWay": under_way,
            "latencyUs": {name: ms * 1000 for name, ms in times_ms.items()},
        }
