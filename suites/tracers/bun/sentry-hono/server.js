// As in the README of @sentry/hono, for Bun. By default 64 requests may be on their way to Sentry,
// and others are lost.
import { sentry } from '@sentry/hono/bun';
import { Hono } from 'hono';

const app = new Hono();

app.use(
  sentry(app, {
    dsn: process.env.SENTRY_DSN,
    tracesSampleRate: Number(process.env.SAMPLED ?? 1),
    transportOptions: { bufferSize: 4096 },
  }),
);
app.get('/', (c) => c.text('Hi'));

export default app;
