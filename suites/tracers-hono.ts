import { ROOM_REMARK } from './levels.ts';
import { bare, common } from './tracers/node/rows.ts';
import { compared } from './tracers/rows.ts';

/** Tracers of Hono on node:http: docs/tracers.md. */
export default compared(
  { name: 'tracers-hono', title: 'Tracers of Hono on node:http', remarks: [ROOM_REMARK] },
  [bare('hono'), ...common('hono')],
);
