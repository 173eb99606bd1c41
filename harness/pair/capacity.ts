import type { LoadedTask } from '../suite/load.ts';
import { Problem } from '../words/errors.ts';
import { measurePair } from './pair.ts';
import type { Bench } from './sides.ts';

const SECONDS = 3;

/**
 * Requests a second that the baseline of a task answers in a closed loop, once it is warm: of two servers in turn.
 * @throws Problem if it does not answer as it should.
 */
export async function capacityOf(bench: Bench, task: LoadedTask): Promise<number> {
  const configuration = { ...bench.configuration, sliceSeconds: SECONDS, alternatingSlices: 1, duetSlices: 0 };
  const closedLoop = { task: { ...task, rate: undefined }, scenario: task.baseline };
  const planned = { ...closedLoop, startedFirst: 'baseline', loadedFirst: 'baseline' } as const;
  const { alternating, invalid } = await measurePair({ ...bench, configuration }, planned);
  const [slice] = alternating;
  if (slice && invalid.length === 0)
    return (slice.baseline.requests + slice.scenario.requests) / (slice.baseline.seconds + slice.scenario.seconds);
  const what = "The baseline's throughput, of which --rate is a share, could not be measured";
  throw new Problem(`${what}: ${invalid[0]}`, 'Fix what failed');
}
