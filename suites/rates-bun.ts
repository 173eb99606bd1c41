import type { SuiteInput } from '../harness/suite/suite-schema.ts';
import { RATES_FULL, tasksOf } from './rates-node.ts';
import { hono, honoOtel, sdk2Middleware, sdk3, sentryHono } from './tracers/bun/rows.ts';
import { LARGE_QUEUE_REMARK } from './tracers/span-queue.ts';

const bun = [hono, sdk2Middleware, sdk3, honoOtel, sentryHono];

/** The same on Bun: docs/rates-and-curves.md. */
export default {
  name: 'rates-bun',
  title: 'Tracers on Bun by the rate of requests',
  baseline: 'hono',
  remarks: [LARGE_QUEUE_REMARK],
  tasks: tasksOf('bun', 'Hono on Bun', bun),
  scenarios: bun,
  full: RATES_FULL,
} satisfies SuiteInput;
