#!/usr/bin/env python3
"""Has a Locust master make the load of one slice, and prints what its workers saw as a line of JSON. Times are in ms.

Called as `locust-slice.py LOAD`, which is JSON (locust.ts), or with --version. $LOCUST_MASTER names two masters that run
locustfile.py, as URLs with a comma between them: two servers can be under load at once. $LOCUST_LOCKS is the folder of the
files that mark a master as busy; left out, it is that for temporary files.
"""

import base64
import fcntl
import json
import math
import os
import socket
import statistics
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections import Counter

# What workers take at least beyond the slice, for making users; and at most, for the slowest answer and reports.
SPAWN_SECONDS = 0.2
GRACE_SECONDS = 15
PERCENTILES = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99, "p999": 0.999}


def call(master, path, form=None):
    data = None if form is None else urllib.parse.urlencode(form).encode()
    try:
        with urllib.request.urlopen(f"{master}/{path}", data, timeout=5 if sys.argv[1] == "--version" else 90) as answer:
            return json.load(answer)
    except (OSError, ValueError) as error:
        sys.exit(f"{master}/{path} does not answer as a Locust master with locustfile.py does: {error}")


def wait(master, seconds, is_done):
    """What GET /tracetax says as soon as that is it, or when the time is up."""
    deadline = time.monotonic() + seconds
    while not is_done(page := call(master, "tracetax")) and time.monotonic() < deadline:
        time.sleep(0.01)
    return page


def stop(master, workers):
    """Ends what the master does. Returns its workers once these are ready for more."""
    call(master, "stop", {})
    return wait(master, 5, lambda page: page["ready"] and set(workers) <= set(page["ready"]))["ready"]


def run(master, load):
    page = call(master, "tracetax")
    workers = stop(master, page["ready"] + page["busy"])
    if not workers:
        sys.exit(f"The Locust master {master} has no workers")
    sent = {**load, "workers": len(workers), "requests": [with_body(request) for request in load["requests"]]}
    form = {"user_count": load["users"], "spawn_rate": load["users"], "host": load["origin"], "load": json.dumps(sent)}
    call(master, "swarm", form)
    time.sleep(load["seconds"] + SPAWN_SECONDS)
    reports = wait(master, GRACE_SECONDS, lambda page: len(page["reports"]) == len(workers))["reports"]
    after = stop(master, workers)
    silent, changed = set(workers) - set(reports), set(workers) ^ set(after)
    failures = {f"of {len(workers)} workers did not report": len(silent), "workers came or went": len(changed)}
    return summary(reports, {reason: count for reason, count in failures.items() if count})


def with_body(request):
    body = request.get("body", "").encode()
    if "bodyFile" in request:
        with open(request["bodyFile"], "rb") as file:
            body = file.read()
    # Else Locust asks for a compressed answer.
    headers = {"accept-encoding": "identity", **{name.lower(): value for name, value in request["headers"].items()}}
    return {**request, "headers": headers, "body": base64.b64encode(body).decode()}


def summary(reports, failures):
    statuses, failures, counts = Counter(), Counter(failures), Counter()
    for report in reports.values():
        statuses.update(report["statuses"])
        failures.update(report["failures"])
        counts.update(dict(report["times_ms"]))
    times = sorted(counts.elements())
    latency = times and {"mean": statistics.fmean(times), "max": times[-1]}
    latency = times and latency | {name: times[math.ceil(p * len(times)) - 1] for name, p in PERCENTILES.items()}
    here = [report for worker, report in reports.items() if worker.startswith(f"{socket.gethostname()}_")]
    return {
        "seconds": max((report["seconds"] for report in reports.values()), default=0),
        "statuses": statuses,
        "failures": failures,
        "latencyMs": latency or None,
        "cpuSeconds": sum(report["cpu_seconds"] for report in here),
        "sleeps": sum(report["sleeps"] for report in here),
    }


def claim(masters):
    """A master that makes no other slice now, for as long as the file that comes with it is open."""
    folder = os.environ.get("LOCUST_LOCKS") or tempfile.gettempdir()
    for master in masters:
        file = open(os.path.join(folder, f"tracetax-{os.getuid()}-{urllib.parse.quote(master, '')}"), "w")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return master, file
        except BlockingIOError:
            file.close()
    sys.exit("All Locust masters in $LOCUST_MASTER are busy")


masters = [url.rstrip("/") for url in os.environ.get("LOCUST_MASTER", "").split(",") if url]
if len(masters) < 2:
    sys.exit("Start two Locust masters with locustfile.py, and name both in $LOCUST_MASTER")
if sys.argv[1] == "--version":
    print("locust", " and ".join({call(master, "tracetax")["version"] for master in masters}))
else:
    master, lock = claim(masters)
    print(json.dumps(run(master, json.loads(sys.argv[1]))))
