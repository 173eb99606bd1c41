"""What a Locust master and its workers need to make the load of a slice: start both with this file.

locust-slice.py starts a slice by POST /swarm with the custom argument `load`. Its users end by themselves, so that nothing goes
on if nobody stops it. Then every worker reports what it saw, and GET /tracetax of the master has that.
"""

import base64
import itertools
import json
import random
import resource
import time
from collections import Counter

import gevent
import locust
from locust import FastHttpUser, events, task
from locust.contrib.fasthttp import LocustBadStatusCode
from locust.exception import StopUser
from locust.runners import MasterRunner

# In which a worker makes its users. Then the first request is due.
SPAWN_SECONDS = 0.2

# Of a worker: the slice under way.
slice_ = None
# Of a master: what each worker reported of the last slice.
reports = {}


class Slice:
    """What this worker sends, and what it sees."""

    def __init__(self, load, worker_index):
        # Without a rate every user sends as soon as it has its answer.
        self.turn_seconds = 1 / load["rate"] if load["rate"] else 0
        self.period_seconds = load["users"] * self.turn_seconds
        self.begin = self.last = time.time() + SPAWN_SECONDS
        self.end = self.begin + load["seconds"]
        # The users of all workers take turns, evenly over time.
        self.turns = itertools.count(worker_index % load["workers"], load["workers"])
        self.requests = [(r["method"], r["path"], r["headers"], base64.b64decode(r["body"])) for r in load["requests"]]
        self.weights = list(itertools.accumulate(r["weight"] for r in load["requests"]))
        self.statuses, self.failures, self.times_ms = Counter(), Counter(), Counter()
        self.used = resource.getrusage(resource.RUSAGE_SELF)
        self.is_over = False

    def report(self):
        used, before = resource.getrusage(resource.RUSAGE_SELF), self.used
        return {
            "seconds": max(self.last, self.end) - self.begin,
            "statuses": self.statuses,
            "failures": self.failures,
            "times_ms": list(self.times_ms.items()),
            "cpu_seconds": used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime,
            "sleeps": used.ru_nvcsw - before.ru_nvcsw,
        }


class Connection(FastHttpUser):
    network_timeout = connection_timeout = 10.0

    def on_start(self):
        self.due = slice_.begin + (next(slice_.turns) + 0.5) * slice_.turn_seconds
        gevent.sleep(self.wait_seconds())

    def wait_time(self):
        """Like constant_throughput; but that counts from when a user is made, so that all would send at once.

        What a user missed while it waited for an answer, it sends as soon as it can.
        """
        self.due += slice_.period_seconds
        return self.wait_seconds()

    def wait_seconds(self):
        return max(0, min(self.due, slice_.end) - time.time())

    @task
    def send(self):
        if max(self.due, time.time()) >= slice_.end:
            raise StopUser()
        [(method, path, headers, body)] = random.choices(slice_.requests, cum_weights=slice_.weights)
        self.client.request(method, path, data=body, headers=headers, allow_redirects=False)


@events.init_command_line_parser.add_listener
def add_argument(parser):
    parser.add_argument("--load", default="", include_in_web_ui=False, help="what a slice sends, as JSON")


@events.init.add_listener
def add_page(environment, web_ui, **_):
    if not web_ui:
        return
    # Bodies come with POST /swarm.
    web_ui.app.config["MAX_FORM_MEMORY_SIZE"] = None

    @web_ui.app.route("/tracetax")
    def page():
        workers = environment.runner.clients
        ready, busy = ([each.id for each in some] for some in (workers.ready, workers.spawning + workers.running))
        return {"version": locust.__version__, "ready": ready, "busy": busy, "reports": reports}


@events.test_start.add_listener
def start(environment, **_):
    global slice_
    if isinstance(environment.runner, MasterRunner):
        reports.clear()
        return
    load = json.loads(environment.parsed_options.load)
    slice_ = Slice(load, environment.runner.worker_index)
    gevent.spawn(finish, environment.runner, slice_)


def finish(runner, own):
    gevent.sleep(own.end - time.time())
    # It was stopped if there is another one.
    while slice_ is own and not own.is_over:
        gevent.sleep(0.002)
        if runner.user_count == 0:
            own.is_over = True
            # At once: Locust itself reports every 3 s.
            runner._send_stats()


@events.request.add_listener
def count(response_time, response, exception, **_):
    slice_.last = time.time()
    if exception is None or isinstance(exception, LocustBadStatusCode):
        slice_.statuses[response.status_code] += 1
        slice_.times_ms[round(response_time, 3)] += 1
    else:
        slice_.failures[str(exception)] += 1


@events.report_to_master.add_listener
def report(data, **_):
    global slice_
    if slice_ and slice_.is_over:
        data["tracetax"] = slice_.report()
        slice_ = None


@events.worker_report.add_listener
def collect(client_id, data):
    if "tracetax" in data:
        reports[client_id] = data["tracetax"]
