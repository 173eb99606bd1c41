// The same in the server itself, after Hono was loaded.
import * as Sentry from '@sentry/bun';
import { Hono } from 'hono';

Sentry.init({ dsn: process.env.SENTRY_DSN, tracesSampleRate: Number(process.env.SAMPLED ?? 1) });

const app = new Hono();

app.get('/', (c) => c.text('Hi'));

export default app;
