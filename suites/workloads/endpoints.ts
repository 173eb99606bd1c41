import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { z } from 'zod';
import { payload, SIZES, type Size } from './payloads.ts';
import { answerError, jsonBody, limitBody } from './validation.ts';

const SLOW_MS = 100;
/** A secret, as passwords are: no recorded body may show it if there are transforms. */
const TOKEN = 'token-of-a-session-that-nobody-may-see';

// The bounds keep one request from occupying the server: the dearest hash takes some 20 ms, the
// longest wait 5 s.
const text = z.string().min(1).max(200);
const email = z.email().max(200);
const simpleBody = z.object({ data: text, timestamp: z.int() });
const hashBody = z.object({ data: z.string().max(65_536), iterations: z.int().min(1).max(10_000) });
const ioBody = z.object({ jobs: z.int().min(1).max(50), delayMs: z.int().min(0).max(100) });
const payloadBody = z.object({ data: z.string().min(1) });
const loginBody = z.object({ email, password: text });
const userBody = z.object({ username: text, email, ssn: text, creditCard: text });

/** The service, without any instrumentation. */
export function createEndpoints(): Hono {
  const app = new Hono();
  app.onError(answerError);
  app.notFound((c) => c.json({ error: `There is no ${c.req.method} ${c.req.path}` }, 404));
  // For POST alone: a middleware would keep Hono from answering GET synchronously.
  app.post('/api/*', limitBody);
  addSimple(app);
  addWork(app);
  for (const size of Object.keys(SIZES) as Size[]) addPayload(app, size, payload(size));
  addSecrets(app);
  return app;
}

function addSimple(app: Hono): void {
  const answer = (message: string) => ({ message, timestamp: Date.now() });
  app.get('/api/simple', (c) => c.json(answer('Hello World')));
  app.post('/api/simple-post', jsonBody(simpleBody), (c) => c.json(answer('Hello World')));
  app.get('/api/slow', (c) => Bun.sleep(SLOW_MS).then(() => c.json(answer('Slow response'))));
}

function addWork(app: Hono): void {
  app.post('/api/compute-hash', jsonBody(hashBody), (c) => {
    const { data, iterations } = c.req.valid('json');
    let hash = data;
    for (let turn = 0; turn < iterations; turn++)
      hash = createHash('sha256').update(hash).digest('hex');
    return c.json({ hash, iterations });
  });
  app.post('/api/io-bound', jsonBody(ioBody), async (c) => {
    const { jobs, delayMs } = c.req.valid('json');
    const results = [];
    for (let jobId = 0; jobId < jobs; jobId++) {
      await Bun.sleep(delayMs);
      results.push({ jobId, timestamp: Date.now(), status: 'completed' });
    }
    return c.json({ totalJobs: jobs, results, completedAt: Date.now() });
  });
}

function addPayload(app: Hono, size: Size, data: string): void {
  const answer = (id: string) => ({ id, data, timestamp: Date.now() });
  app.get(`/api/${size}`, (c) => c.json(answer(size)));
  app.post(`/api/${size}-post`, jsonBody(payloadBody), (c) => c.json(answer(`${size}-post`)));
}

function addSecrets(app: Hono): void {
  let userCount = 0;
  app.post('/api/auth/login', jsonBody(loginBody), (c) => {
    const user = { id: 123, email: c.req.valid('json').email, role: 'user' };
    return c.json({ success: true, token: TOKEN, user });
  });
  app.post('/api/users', jsonBody(userBody), (c) => {
    const { username, ...profile } = c.req.valid('json');
    return c.json({ id: ++userCount, username, profile, createdAt: new Date().toISOString() });
  });
}
