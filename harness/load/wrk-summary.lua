-- What wrk can't do by its options: requests with bodies, mixes, and a summary as one line of JSON
-- after its own text, which rounds to three digits and has no p95. Times are in microseconds.
-- Called as `wrk ... URL -- {WEIGHT METHOD PATH KIND BODY HEADERS [NAME VALUE]...}...`, where KIND
-- says what BODY is: none, text, or the name of a file.

function init(args)
  local requests, total, at = {}, 0, 0
  local function take()
    at = at + 1
    return args[at]
  end
  while at < #args do
    total = total + tonumber(take())
    local method, path, kind, body, headers = take(), take(), take(), take(), {}
    for _ = 1, tonumber(take()) do
      local name = take()
      headers[name] = take()
    end
    if kind == 'file' then body = assert(io.open(body, 'rb')):read('*a') elseif kind == 'none' then body = nil end
    wrk.method, wrk.path, wrk.body = method, path, body
    requests[#requests + 1] = { upTo = total, headers = headers, bytes = wrk.format(method, path, headers, body) }
  end
  -- One alone is formatted once more, by wrk itself.
  if #requests < 2 then wrk.headers = requests[1].headers return end
  math.randomseed(os.time())
  -- A global: without it, wrk sends the same bytes over and over.
  function request()
    local drawn = math.random() * total
    for _, each in ipairs(requests) do
      if drawn < each.upTo then return each.bytes end
    end
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"durationUs":%d,"requests":%d,' ..
    '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d},' ..
    '"latencyUs":{"max":%.3f,"p50":%.3f,"p90":%.3f,"p95":%.3f,"p99":%.3f}}\n',
    summary.duration, summary.requests,
    errors.connect, errors.read, errors.write, errors.status, errors.timeout,
    latency.max,
    latency:percentile(50), latency:percentile(90), latency:percentile(95), latency:percentile(99)))
end
