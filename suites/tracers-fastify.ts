import { bare, common, elastic, elasticSampled, fastifyOtel } from './tracers/node/rows.ts';
import { compared, sampled, sdkSampler } from './tracers/rows.ts';
import { LARGE_QUEUE_REMARK } from './tracers/span-queue.ts';

/** Tracers of Fastify: docs/tracers.md. */
export default compared(
  { name: 'tracers-fastify', title: 'Tracers of Fastify', remarks: [LARGE_QUEUE_REMARK] },
  [
    bare('fastify'),
    ...common('fastify'),
    fastifyOtel,
    elastic('fastify'),
    ...sampled(fastifyOtel, sdkSampler),
    ...elasticSampled('fastify'),
  ],
);
