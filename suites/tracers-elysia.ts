import { ROOM_REMARK } from './levels.ts';
import { elysia, elysiaOtel } from './tracers/bun/rows.ts';
import { compared, sampled, sdkSampler } from './tracers/rows.ts';

/** Elysia's own plugin on Bun: docs/tracers.md. */
export default compared(
  { name: 'tracers-elysia', title: 'Tracers of Elysia on Bun', remarks: [ROOM_REMARK] },
  [elysia, elysiaOtel, ...sampled(elysiaOtel, sdkSampler)],
);
