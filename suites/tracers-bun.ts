import {
  datadog,
  hono,
  honoOtel,
  middleware,
  sdk2,
  sdk2Middleware,
  sdk3,
  sentry,
  sentryHono,
  sentryPreload,
  storage,
} from './tracers/bun/rows.ts';
import { compared } from './tracers/rows.ts';
import { LARGE_QUEUE_REMARK } from './tracers/span-queue.ts';

/** Tracers of Hono on Bun, each in a folder of its own with its own packages: docs/tracers.md. */
export default compared(
  { name: 'tracers-bun', title: 'Tracers of Hono on Bun', remarks: [LARGE_QUEUE_REMARK] },
  [
    ...[hono, middleware, storage],
    ...[sdk2, sdk2Middleware, sdk3, honoOtel],
    ...[sentryHono, sentryPreload, sentry],
    datadog,
  ],
);
