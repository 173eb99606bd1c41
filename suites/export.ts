import type { SuiteInput } from '../harness/suite/suite-schema.ts';
import levels, { level } from './levels.ts';

const TRACED = { 'trace-active': 'Full tracing', 'trace-10x': '10 nested spans' };
const MODES = { none: 'spans dropped', otlp: 'exported' } as const;

/** What making spans costs, and then what sending them adds. */
export default {
  ...levels,
  name: 'export',
  title: 'Steps of export',
  isLadder: false,
  headline: 'trace-active-otlp',
  scenarios: [
    level('baseline'),
    ...Object.entries(TRACED).flatMap(([name, title]) =>
      Object.entries(MODES).map(([mode, what]) => ({
        ...level(name),
        name: `${name}-${mode}`,
        title: `${title}, ${what}`,
        export: mode as keyof typeof MODES,
      })),
    ),
  ],
} satisfies SuiteInput;
