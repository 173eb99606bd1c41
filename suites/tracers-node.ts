import { auto, autoByGrpc, bare, common } from './tracers/node/rows.ts';
import { compared, sampled, sdkSampler } from './tracers/rows.ts';
import { LARGE_QUEUE_REMARK } from './tracers/span-queue.ts';

/** Tracers that are loaded before a server of node:http: docs/tracers.md. */
export default compared(
  { name: 'tracers-node', title: 'Tracers of node:http', remarks: [LARGE_QUEUE_REMARK] },
  [
    bare('http'),
    ...common('http'),
    autoByGrpc('http'),
    ...sampled(auto('http', 3), sdkSampler),
    ...sampled(auto('http', 2), sdkSampler),
  ],
);
