import type { SuiteInput } from '../harness/suite/suite-schema.ts';
import { auto, bare, common, withTracerInThreads } from './tracers/node/rows.ts';
import { LARGE_QUEUE_REMARK } from './tracers/span-queue.ts';

const exchanges = [{ answer: { body: 'Hi' } }];
const tracers = common('workers');
const pooled = [
  withTracerInThreads(bare('workers'), false),
  ...tracers.map((tracer) => withTracerInThreads(tracer, false)),
  ...tracers.map((tracer) => withTracerInThreads(tracer, true)),
];
const alone = [bare('http'), { ...auto('http', 3), name: 'auto-3-alone' }];

/**
 * Each request is handed to one of two worker threads; a tracer is on the main thread, or on the
 * others, too. Beside it a server without such threads: docs/tracers.md.
 */
export default {
  name: 'workers',
  title: 'Work in worker threads',
  baseline: 'workers',
  remarks: [LARGE_QUEUE_REMARK],
  tasks: [
    {
      name: 'threads',
      title: 'Two worker threads',
      exchanges,
      scenarios: pooled.map(({ name }) => name),
    },
    {
      name: 'alone',
      title: 'No worker threads',
      exchanges,
      baseline: 'http',
      scenarios: alone.map(({ name }) => name),
    },
  ],
  scenarios: [...pooled, ...alone],
  full: { starts: 10, warmupSeconds: 30 },
  quick: { starts: 3 },
} satisfies SuiteInput;
