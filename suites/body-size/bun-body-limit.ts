import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { MAX_BODY_BYTES, options } from './serve-bun.ts';

const app = new Hono();
const limit = bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (c) => c.body(null, 413) });

// The middleware goes by Content-Length, and reads only a chunked body itself.
app.post('/', limit, async (c) => {
  const { byteLength } = await c.req.arrayBuffer();
  return c.body(null, 200, { 'x-body-size': String(byteLength) });
});
app.all('/', (c) => c.body(null, 405, { allow: 'POST' }));
// The body did not come whole. Hono's own handler would print the stack.
app.onError((_error, c) => c.body(null, 400));

export default { ...options, fetch: app.fetch };
