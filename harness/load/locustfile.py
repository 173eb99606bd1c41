"""What the users of a Locust swarm send, and what they saw: start masters with this file. tracetax gives `--load` to each."""

import json
import random

import gevent
from locust import FastHttpUser, constant_throughput, events, task
from locust.runners import WorkerRunner

PERCENTILES = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99, "p999": 0.999}


@events.init_command_line_parser.add_listener
def add_argument(parser):
    parser.add_argument("--load", default="{}", include_in_web_ui=False, help="what each user sends, as JSON")


class Connection(FastHttpUser):
    network_timeout = connection_timeout = 10.0

    def on_start(self):
        load = json.loads(self.environment.parsed_options.load)
        self.requests = load["requests"]
        self.weights = [request["weight"] for request in self.requests]
        self.pace = constant_throughput(load["perSecond"]) if load["perSecond"] else lambda _: 0
        # Users that begin at once would send at once.
        if load["perSecond"]:
            gevent.sleep(random.random() / load["perSecond"])

    def wait_time(self):
        return self.pace(self)

    @task
    def send(self):
        [request] = random.choices(self.requests, self.weights)
        method, path, body, headers = (request[name] for name in ("method", "path", "body", "headers"))
        self.client.request(method, path, name="all", data=body, headers=headers, allow_redirects=False)


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
        total, runner = environment.stats.total, environment.runner
        is_ready = len(runner.clients) > 0 and len(runner.clients.ready) == len(runner.clients)
        times = {name: total.get_response_time_percentile(share) for name, share in PERCENTILES.items()}
        return {
            "state": "ready" if is_ready else runner.state,
            "requests": total.num_requests - total.num_failures,
            "errors": {error.to_name(): error.occurrences for error in environment.stats.errors.values()},
            "latencyMs": {"mean": total.avg_response_time, "max": total.max_response_time, **times},
        }
