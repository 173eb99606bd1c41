import type { SuiteInput } from '../../../harness/suite/suite-schema.ts';

const scenario = (name: string, title: string, us: Record<string, number>) => ({
  name,
  title,
  command: ['bun', 'run', 'server.ts'],
  env: Object.fromEntries(Object.entries(us).map(([name, value]) => [name, String(value)])),
  telemetry: {},
  trueCostUs: Object.values(us).reduce((sum, each) => sum + each, 0),
});

/** Servers that burn known times in two packages: does `explain` find them there? */
export default {
  name: 'packages',
  title: 'Known costs in two packages',
  answer: { body: 'Hi', mediaType: 'text/plain' },
  baseline: 'base',
  scenarios: [
    scenario('base', 'Baseline', {}),
    scenario('a', '5 µs in package-a', { A_US: 5 }),
    scenario('b', '10 µs in package-b', { B_US: 10 }),
    scenario('both', '5 µs in package-a, 10 µs in package-b', { A_US: 5, B_US: 10 }),
  ],
} satisfies SuiteInput;
