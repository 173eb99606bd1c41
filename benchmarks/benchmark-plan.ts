import type { MeasureOptions } from '../harness/settle/options.ts';
import { type Settled, settle } from '../harness/settle/settle.ts';
import { readSuite } from '../harness/suite/read-suite.ts';
import { select } from '../harness/suite/select.ts';

/**
 * The plan and the world of a run as `scripts/bench.sh --export none` makes it with these options.
 */
export async function benchmarkPlan(
  more: Partial<MeasureOptions> & { suite: string },
): Promise<Settled> {
  const defaults = {
    tool: 'auto',
    seed: 1,
    export: 'none',
    quick: false,
    pin: true,
    keepAwake: true,
  } as const;
  const options = { ...defaults, strict: false, dryRun: false, ...more } as MeasureOptions;
  return settle(options, select(await readSuite(options.suite), options));
}
