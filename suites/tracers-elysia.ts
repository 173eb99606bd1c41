import { elysia, elysiaOtel } from './tracers/bun/rows.ts';
import { compared, sampled, sdkSampler } from './tracers/rows.ts';
import { LARGE_QUEUE_REMARK } from './tracers/span-queue.ts';

/** Elysia's own plugin on Bun: docs/tracers.md. */
export default compared(
  { name: 'tracers-elysia', title: 'Tracers of Elysia on Bun', remarks: [LARGE_QUEUE_REMARK] },
  [elysia, elysiaOtel, ...sampled(elysiaOtel, sdkSampler)],
);
