import { Problem } from '../problem.ts';
import type { LoadedTask } from '../suite/load.ts';
import { type Bench, loadOf } from './bench.ts';
import { alternatingSlice } from './slices.ts';
import { startBoth } from './start-both.ts';
import { warmUp } from './warm-up.ts';

const SECONDS = 3;

/**
 * How many requests a second the baseline of a task answers in a closed loop, once it is warm: of two servers in turn, since
 * processes differ.
 * @throws Problem if it does not answer as it should.
 */
export async function capacityOf(bench: Bench, task: LoadedTask): Promise<number> {
  await using started = await startBoth(bench, { task, scenario: task.baseline, startedFirst: 'baseline' });
  await warmUp(bench, task, started);
  const load = loadOf(bench, { ...task, rate: undefined }, SECONDS);
  const { slice, faults } = await alternatingSlice(bench, started, load, 'baseline');
  const { baseline, scenario } = slice;
  if (faults.length > 0)
    throw new Problem(
      `The baseline's throughput, of which --rate is a share, could not be measured: ${faults[0]}`,
      'Fix what failed',
    );
  return (baseline.requests + scenario.requests) / (baseline.seconds + scenario.seconds);
}
