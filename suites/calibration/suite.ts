import type { SuiteInput } from '../../harness/suite/schema.ts';

/** What each server burns more than the baseline in every request, in µs of CPU time. */
export const BURNT_US = [0, 2, 10, 40];

const server = (burnUs: number) => ({ command: ['bun', 'run', 'server.ts'], env: { BURN_US: String(burnUs) } });

/** Servers with a known extra cost, for `scripts/bench.sh calibrate`. */
export default {
  name: 'calibration',
  title: 'Known costs',
  answer: { body: 'Hi', mediaType: 'text/plain' },
  baseline: 'baseline',
  scenarios: [
    { name: 'baseline', title: 'Baseline', ...server(0) },
    ...BURNT_US.map((us) => ({ name: `burn-${us}us`, title: `${us} µs`, ...server(us) })),
  ],
} satisfies SuiteInput;
