import type { Plan, PlannedRow } from '../plan.ts';
import { Problem } from '../words/errors.ts';
import { measurePair } from './pair.ts';
import { RIG } from './rig.ts';

const SECONDS = 3;

/**
 * Requests a second that the baseline of a row answers in a closed loop, once it is warm: of two servers in turn.
 * @throws Problem if it does not answer as it should.
 */
export async function capacityOf(plan: Plan, { label, task, baseline }: PlannedRow, rig = RIG): Promise<number> {
  const { header } = plan;
  const configuration = { ...header.configuration, sliceSeconds: SECONDS, alternatingSlices: 1, duetSlices: 0 };
  const row = { label, task: { ...task, rate: null }, baseline, scenario: baseline };
  const pair = { row, startedFirst: 'baseline', loadedFirst: 'baseline' } as const;
  const { alternating, faults } = await measurePair({ ...plan, header: { ...header, configuration } }, pair, rig);
  const [slice] = alternating;
  const [fault] = faults;
  if (slice && !fault)
    return (slice.baseline.requests + slice.scenario.requests) / (slice.baseline.seconds + slice.scenario.seconds);
  const cause = "The baseline's throughput, of which the rate is a share, could not be measured";
  throw new Problem(`${cause}: ${fault?.what} (${fault?.detail})`, 'Fix what failed');
}
