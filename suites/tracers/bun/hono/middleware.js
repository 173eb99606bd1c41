// A middleware that does nothing.
import { Hono } from 'hono';

const app = new Hono();

app.use(async (_, next) => {
  await next();
});
app.get('/', (c) => c.text('Hi'));

export default app;
