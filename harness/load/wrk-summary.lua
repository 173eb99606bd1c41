-- Prints what wrk measured as one line of JSON after its own text, which rounds to three digits and has no p95.
-- Times are in microseconds. Called as `wrk ... URL -- METHOD BODY`; `init` runs once before the load and `done` once
-- after it, so nothing of this runs while requests are sent.
function init(args)
  wrk.method = args[1] or wrk.method
  wrk.body = args[2]
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '{"durationUs":%d,"requests":%d,"bytes":%d,' ..
    '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d},' ..
    '"latencyUs":{"mean":%.3f,"max":%.3f,"p50":%.3f,"p75":%.3f,"p90":%.3f,"p95":%.3f,"p99":%.3f}}\n',
    summary.duration, summary.requests, summary.bytes,
    errors.connect, errors.read, errors.write, errors.status, errors.timeout,
    summary.requests > 0 and latency.mean or 0, latency.max,
    latency:percentile(50), latency:percentile(75), latency:percentile(90),
    latency:percentile(95), latency:percentile(99)))
end
