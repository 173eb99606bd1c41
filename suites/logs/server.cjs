// Logs ten lines of each request, by the library that `$LIBRARY` names.
const { createServer } = require('node:http');
const { Writable } = require('node:stream');
const { setImmediate } = require('node:timers/promises');
const { trace } = require('@opentelemetry/api');
const { LIBRARIES } = require('./libraries.cjs');

const LINES = 10;
const { LIBRARY, LOGS, HOST, PORT } = process.env;
const library = LIBRARIES[LIBRARY];

function logTenLines(logger) {
  for (let step = 1; step <= LINES; step++)
    library.log(logger, { user: 'ada', step, durationMs: 1.5 }, 'a step of the request is done');
}

const answer = (response) => response.setHeader('content-type', 'text/plain').end('Hi');

// Nobody else reads the lines, so the first request does: none is served if they are not as
// `$LOGS` says.
const seen = [];
const seenLogger = library.logger(
  new Writable({
    decodeStrings: false,
    write(line, _, done) {
      seen.push(JSON.parse(line));
      done();
    },
  }),
);

async function serveFirst(response) {
  const span = trace.getActiveSpan();
  if (!span) throw new Error('the request has no span');
  logTenLines(seenLogger);
  // A library may write in a later turn of the event loop.
  await setImmediate();
  const wanted = LOGS === 'plain' ? undefined : span.spanContext().traceId;
  const right = seen.filter(({ trace_id }) => trace_id === wanted);
  if (right.length !== LINES || seen.length !== LINES)
    throw new Error(`${right.length} of ${seen.length} lines have ${wanted} for the trace's id`);
  answer(response);
}

const logger = library.logger();
const server = createServer();

server.once('request', (_, response) => {
  server.on('request', (_, response) => {
    logTenLines(logger);
    answer(response);
  });
  void serveFirst(response);
});
server.listen(Number(PORT), HOST);
