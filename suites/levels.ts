import type { SuiteInput } from '../harness/suite/schema.ts';

/** The five servers at the top level: the same answer at rising levels of instrumentation. */
export default {
  name: 'levels',
  title: 'Instrumentation levels',
  cwd: '..',
  request: { method: 'GET', path: '/' },
  answer: { status: 200, body: 'Hi', mediaType: 'text/plain' },
  baseline: 'baseline',
  scenarios: [
    { name: 'baseline', title: 'Baseline (not instrumented)', command: ['bun', 'run', 'baseline.ts'] },
    {
      name: 'inspector-disabled',
      title: 'Inspector deactivated',
      command: ['bun', 'run', 'inspector-disabled.ts'],
    },
    {
      name: 'trace-disabled',
      title: 'Tracing disabled (metrics only)',
      command: ['bun', 'run', 'trace-disabled.ts'],
    },
    {
      name: 'trace-active',
      title: 'Tracing enabled (metrics + tracing)',
      command: ['bun', 'run', 'trace-active.ts'],
    },
    { name: 'trace-10x', title: '10 nested spans', command: ['bun', 'run', 'trace-10x.ts'] },
  ],
} satisfies SuiteInput;
