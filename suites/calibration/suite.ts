import type { SuiteInput } from '../../harness/suite/schema.ts';

/**
 * What every server burns, the baseline too. An empty answer takes as little CPU time as the load tool needs for it, which
 * then is never idle; a slower server also pays for waking it, which is no error of the kit, but no known cost either.
 */
const COMMON_US = 20;

/** What each server burns more than the baseline in every request, in µs of CPU time. */
const BURNT_US = [0, 2, 10, 40];

const server = (burnUs: number) => ({
  command: ['bun', 'run', 'server.ts'],
  env: { BURN_US: String(COMMON_US + burnUs) },
  telemetry: {},
});

/** Servers with a known extra cost, for `scripts/bench.sh calibrate`. */
export default {
  name: 'calibration',
  title: 'Known costs',
  answer: { body: 'Hi', mediaType: 'text/plain' },
  baseline: 'baseline',
  // Slow servers come to their hot code later: with 2 s the compiler's own threads were half of the error.
  full: { warmupSeconds: 10 },
  scenarios: [
    { name: 'baseline', title: 'Baseline', ...server(0) },
    ...BURNT_US.map((us) => ({ name: `burn-${us}us`, title: `${us} µs`, ...server(us) })),
  ],
} satisfies SuiteInput;
