import { type Fault, faultText } from '../harness/result/faults.ts';
import type { MeasureOptions } from '../harness/settle/options.ts';
import { type Settled, settle } from '../harness/settle/settle.ts';
import { readSuite } from '../harness/suite/read-suite.ts';
import { select } from '../harness/suite/select.ts';
import { ScenarioProblem } from '../harness/words/errors.ts';

type BenchmarkOptions = Partial<MeasureOptions> & { suite: string };

/**
 * Returns the plan and the world of a run as `scripts/bench.sh --export none` makes it with these
 * options.
 */
export async function benchmarkPlan(more: BenchmarkOptions): Promise<Settled> {
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

/** Returns the same; undefined, and tells why, for a suite of which something is missing here. */
export async function benchmarkPlanIfHere(more: BenchmarkOptions): Promise<Settled | undefined> {
  try {
    return await benchmarkPlan(more);
  } catch (error) {
    if (!(error instanceof ScenarioProblem)) throw error;
    console.error(error.message);
    return undefined;
  }
}

/** @throws if something went wrong: its figures would tell nothing */
export function refuseFaults({ faults: [first] }: { faults: readonly Fault[] }): void {
  if (first) throw new Error(faultText(first));
}

/** Returns a slice in which nothing went wrong. @throws if something did */
export function goodSlice<Slice>(measured: { slice: Slice; faults: readonly Fault[] }): Slice {
  refuseFaults(measured);
  return measured.slice;
}
