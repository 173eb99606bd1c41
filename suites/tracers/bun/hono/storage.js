// What keeps a context for each request, and nothing else.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Hono } from 'hono';

const storage = new AsyncLocalStorage();
const app = new Hono();

app.use(async (_, next) => {
  await storage.run({}, next);
});
app.get('/', (c) => c.text('Hi'));

export default app;
