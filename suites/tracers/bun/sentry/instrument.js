// As on https://docs.sentry.io/platforms/javascript/guides/bun/: a file that is loaded before the
// server.
import * as Sentry from '@sentry/bun';

Sentry.init({ dsn: process.env.SENTRY_DSN, tracesSampleRate: Number(process.env.SAMPLED ?? 1) });
