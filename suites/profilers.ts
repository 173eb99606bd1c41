import type { SuiteInput } from '../harness/suite/suite-schema.ts';
import {
  bare,
  datadogProfiler,
  pyroscope,
  sentryForProfiler,
  sentryProfiler,
  withDatadog,
} from './tracers/node/rows.ts';

const exchanges = [{ answer: { body: 'Hi' } }];

/** Of node:http, what a tracer costs, and then its profiler more than that: docs/tracers.md. */
export default {
  name: 'profilers',
  title: 'A profiler beside the tracer',
  baseline: 'http',
  remarks: [
    'dd-trace and Pyroscope send a profile each 65 and 60 s: pairs may not last as long.',
    "4,096 of Sentry's envelopes may wait, not 64 as by default.",
    "Sentry's profiler starts with a span, and stops and sends when there is none (profileLifecycle: trace).",
  ],
  tasks: [
    {
      name: 'without',
      title: 'Beside no tracer',
      exchanges,
      scenarios: ['http', 'dd-trace', 'sentry', 'pyroscope'],
    },
    {
      name: 'beside-dd-trace',
      title: 'Beside dd-trace',
      exchanges,
      baseline: 'dd-trace',
      scenarios: ['dd-trace', 'dd-trace-profiler'],
    },
    {
      name: 'beside-sentry',
      title: 'Beside @sentry/node',
      exchanges,
      baseline: 'sentry',
      scenarios: ['sentry', 'sentry-profiler'],
    },
  ],
  scenarios: [
    bare('http'),
    withDatadog('http'),
    sentryForProfiler('http'),
    pyroscope('http'),
    datadogProfiler('http'),
    sentryProfiler('http'),
  ],
  full: { starts: 10, warmupSeconds: 30 },
  quick: { starts: 3 },
} satisfies SuiteInput;
