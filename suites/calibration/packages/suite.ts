import type { SuiteInput } from '../../../harness/suite/suite-schema.ts';

/**
 * A server that burns known times in two packages: does `explain` find them there? See
 * docs/explain.md.
 */
export default {
  name: 'packages',
  title: 'Known costs in two packages',
  answer: { body: 'Hi', mediaType: 'text/plain' },
  baseline: 'base',
  scenarios: [
    { name: 'base', title: 'Baseline', command: ['bun', 'run', 'server.ts'], telemetry: {} },
    {
      name: 'both',
      title: '5 µs in package-a, 10 µs in package-b',
      command: ['bun', 'run', 'server.ts'],
      env: { A_US: '5', B_US: '10' },
      telemetry: {},
      trueCostUs: 15,
    },
  ],
} satisfies SuiteInput;
