import { sum } from 'simple-statistics';
import type { PlannedPair, PlannedRow } from '../plan/plan.ts';
import { faultText, remedyOf } from '../result/faults.ts';
import { Problem } from '../words/errors.ts';
import { measurePair, type PairSettings } from './pair.ts';
import type { World } from './world.ts';

/** One slice of each server tells what a baseline can do. */
const SLICES = {
  sliceSeconds: 3,
  alternatingSlices: 1,
  duetSlices: 0,
};

/**
 * Returns how many requests a second the baseline of a row answers in a closed loop, once it is
 * warm: the mean of two servers in turn. @throws Problem if that can't be measured
 */
export async function measureCapacity(
  world: World,
  { label, task, baseline }: PlannedRow,
  warmupSeconds: number,
): Promise<number> {
  const pair: PlannedPair = {
    row: {
      label,
      task: { ...task, rate: undefined },
      baseline,
      scenario: baseline,
      mayBeUnlike: false,
    },
    startedFirst: 'baseline',
    loadedFirst: 'baseline',
  };
  const settings: PairSettings = { ...SLICES, warmupSeconds };
  const { alternating, faults } = await measurePair(world, pair, settings);
  const [fault] = faults;
  if (fault) {
    const cause = "The baseline's throughput, of which the rate is a share, could not be measured";
    throw new Problem(`${cause}: ${faultText(fault)}`, remedyOf(fault.kind));
  }
  const runs = alternating.flatMap(({ baseline, scenario }) => [baseline, scenario]);
  const requests = sum(runs.map((run) => run.requests));
  const seconds = sum(runs.map((run) => run.seconds));
  return requests / seconds;
}
