-- What wrk can't do by its options: requests with bodies, mixes, and a summary as one
-- line of JSON after its own text, which rounds to three digits and has no p95. Times are in microseconds.
-- Called as `wrk ... URL -- {WEIGHT METHOD PATH KIND BODY HEADERS [NAME VALUE]...}...`, where KIND says what BODY is: none,
-- text, or the name of a file.

local function read(path)
  local file = assert(io.open(path, 'rb'))
  local content = file:read('*a')
  file:close()
  return content
end

-- A global: wrk sends the same bytes over and over unless there is a function `request`.
local function sendMix(requests, total)
  math.randomseed(os.time())
  function request()
    local at = math.random() * total
    for _, each in ipairs(requests) do
      if at < each.upTo then return each.bytes end
    end
    return requests[#requests].bytes
  end
end

function init(args)
  local position = 0
  local function take()
    position = position + 1
    return args[position]
  end
  local requests, total = {}, 0
  while position < #args do
    total = total + tonumber(take())
    local method, path, kind, content = take(), take(), take(), take()
    local headers = {}
    for _ = 1, tonumber(take()) do
      local name = take()
      headers[name] = take()
    end
    local body
    if kind == 'text' then body = content elseif kind == 'file' then body = read(content) end
    wrk.method, wrk.body = method, body
    requests[#requests + 1] = { upTo = total, bytes = wrk.format(method, path, headers, body) }
  end
  if #requests > 1 then sendMix(requests, total) end
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '{"durationUs":%d,"requests":%d,' ..
    '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d},' ..
    '"latencyUs":{"mean":%.3f,"max":%.3f,"p50":%.3f,"p90":%.3f,"p95":%.3f,"p99":%.3f}}\n',
    summary.duration, summary.requests,
    errors.connect, errors.read, errors.write, errors.status, errors.timeout,
    summary.requests > 0 and latency.mean or 0, latency.max,
    latency:percentile(50), latency:percentile(90), latency:percentile(95), latency:percentile(99)))
end
