import { sum } from 'simple-statistics';
import type { Plan, PlannedPair, PlannedRow } from '../plan/plan.ts';
import { checkOpen } from '../processes/child.ts';
import type { Pair, Side } from '../result/schema.ts';
import { sentIn } from '../suite/select.ts';
import { Problem } from '../words/errors.ts';
import { wrongAnswers } from './answers.ts';
import { exportedBy, exportFaults } from './exported.ts';
import { allEnded, SIDES } from './sides.ts';
import { isSilent, measureSlices } from './slices.ts';
import { startBoth } from './starts.ts';
import { warmUp } from './warm-up.ts';

/** What finds how much a baseline can do. */
const ONE_SLICE = { sliceSeconds: 3, alternatingSlices: 1, duetSlices: 0 };

/**
 * Measures one pair: start, check, warm up, alternating slices, duet slices (Bulej et al., Duet Benchmarking, ICPE 2020),
 * check, stop. What goes wrong under load is among its faults. @throws Problem if a server, or the load tool, does not start.
 */
export async function measurePair(plan: Plan, pair: PlannedPair): Promise<Pair> {
  const { task } = pair.row;
  const lap = stopwatch();
  await using servers = await startBoth(plan, pair);
  const startSeconds = lap();
  const warm = await warmUp(plan, task, servers);
  const warmUpSeconds = lap();
  const { faults, ...measured } = await measureSlices(plan, pair, servers, warm.sliceSeconds);
  if (!isSilent(faults))
    for (const side of SIDES)
      faults.push(...(await wrongAnswers(plan, servers[side], sentIn(task), 'afterwards')));
  const exportedOf = (side: Side) => exportedBy(servers[side], task.warmUp.length === 0);
  const [baseline, scenario] = await allEnded([exportedOf('baseline'), exportedOf('scenario')]);
  const slicesSeconds = lap();
  await servers[Symbol.asyncDispose]();
  checkOpen();
  const exported = { baseline, scenario };
  for (const side of SIDES) faults.push(...exportFaults(servers[side].planned, exported[side]));
  return {
    ...{
      task: task.name,
      scenario: pair.row.scenario.name,
      isSteady: warm.isSteady,
      sliceSeconds: warm.sliceSeconds,
    },
    seconds: { start: startSeconds, warmUp: warmUpSeconds, slices: slicesSeconds, stop: lap() },
    ...{ ...measured, exported, faults },
  };
}

/** Requests a second of the baseline of a row in a closed loop, once it is warm: of two servers in turn. @throws Problem */
export async function capacityOf(
  plan: Plan,
  { label, task, baseline }: PlannedRow,
): Promise<number> {
  const { header } = plan;
  const configuration = { ...header.configuration, ...ONE_SLICE };
  const row = { label, task: { ...task, rate: undefined }, baseline, scenario: baseline };
  const pair = { row, startedFirst: 'baseline', loadedFirst: 'baseline' } as const;
  const { alternating, faults } = await measurePair(
    { ...plan, header: { ...header, configuration } },
    pair,
  );
  const cause = "The baseline's throughput, of which the rate is a share, could not be measured";
  const [fault] = faults;
  if (fault) throw new Problem(`${cause}: ${fault.what} (${fault.detail})`, 'Fix what failed');
  const runs = alternating.flatMap((slice) => [slice.baseline, slice.scenario]);
  return sum(runs.map(({ requests }) => requests)) / sum(runs.map(({ seconds }) => seconds));
}

/** Seconds since it was called before. */
function stopwatch(): () => number {
  let beforeMs = performance.now();
  return () => {
    const seconds = (performance.now() - beforeMs) / 1_000;
    beforeMs += seconds * 1_000;
    return seconds;
  };
}
