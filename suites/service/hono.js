import { Hono } from 'hono';
import { answer } from './request.cjs';

const app = new Hono();

if (process.env.INSTRUMENT) {
  const { httpInstrumentationMiddleware } = await import('@hono/otel');
  app.use(httpInstrumentationMiddleware());
}
app.get('/', async (c) => c.json(await answer()));

export default app;
