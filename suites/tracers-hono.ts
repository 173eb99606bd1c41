import { bare, common } from './tracers/node/rows.ts';
import { compared } from './tracers/rows.ts';
import { LARGE_QUEUE_REMARK } from './tracers/span-queue.ts';

/** Tracers of Hono on node:http: docs/tracers.md. */
export default compared(
  { name: 'tracers-hono', title: 'Tracers of Hono on node:http', remarks: [LARGE_QUEUE_REMARK] },
  [bare('hono'), ...common('hono')],
);
