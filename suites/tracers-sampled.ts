import {
  hono,
  honoOtel,
  sdk2Middleware as sdk2,
  sdk3,
  sentryHono,
  sentryPreload,
} from './tracers/bun/rows.ts';
import { compared, sampled, sdkSampler, sentrySampler } from './tracers/rows.ts';
import { LARGE_QUEUE_REMARK } from './tracers/span-queue.ts';

const title = 'Tracers of Hono on Bun that sample';

/**
 * What the tracers of Hono on Bun cost if they record a tenth of the requests, or none:
 * docs/tracers.md.
 */
export default compared({ name: 'tracers-sampled', title, remarks: [LARGE_QUEUE_REMARK] }, [
  hono,
  ...[sdk2, sdk3, honoOtel].flatMap((row) => sampled(row, sdkSampler)),
  ...[sentryHono, sentryPreload].flatMap((row) => sampled(row, sentrySampler)),
]);
