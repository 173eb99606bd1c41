// Hands each request to a thread of a pool, as https://piscinajs.dev shows.
const { createServer } = require('node:http');
const { resolve } = require('node:path');
const { Piscina } = require('piscina');

const pool = new Piscina({
  filename: resolve(__dirname, 'worker.cjs'),
  minThreads: 2,
  maxThreads: 2,
  // Left out, threads have the options of the process, and so the tracer that these preload.
  ...(process.env.TRACER_IN_THREADS === 'false' && { execArgv: [] }),
});

createServer(async (_, response) => {
  const body = await pool.run('Hi');
  response.setHeader('content-type', 'text/plain').end(body);
}).listen(Number(process.env.PORT), process.env.HOST);
