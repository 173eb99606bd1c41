import { checkAnswer } from '../server/check.ts';
import { startServer } from '../server/server.ts';
import { startSink } from '../sink/sink.ts';
import { asMeasured } from '../suite/exporting.ts';
import type { LoadedTask } from '../suite/load.ts';
import type { Exchange, Scenario } from '../suite/suite-schema.ts';
import { type Bench, type Both, forBoth, inTurn } from './bench.ts';
import { sideAt } from './order.ts';

/**
 * Times in ms from the start of a process to its first answer, of baseline and scenario by turns, so that whatever drifts
 * meets both. Each server is stopped before the next is started.
 * @throws Problem if one does not start, or gives a wrong answer.
 */
export async function startUpsMs(bench: Bench, task: LoadedTask, scenario: Scenario): Promise<Both<number[]>> {
  const { export: mode } = bench.configuration;
  const scenarios = { baseline: task.baseline, scenario };
  await using sink = await startSink(bench.pinning);
  const ms = forBoth((): number[] => []);
  for (let turn = 0; turn < bench.configuration.starts; turn++)
    await inTurn(sideAt(turn, 'baseline'), async (side) => {
      const measured = asMeasured(task, scenarios[side], mode, sink.address);
      ms[side].push(await startUpMs(bench, task, measured));
    });
  return ms;
}

async function startUpMs(bench: Bench, task: LoadedTask, scenario: Scenario): Promise<number> {
  const { child, origin, listeningAfterMs } = await startServer(scenario, bench);
  await using _ = child;
  const askedMs = performance.now();
  await checkAnswer(scenario, origin, task.exchanges[0] as Exchange);
  return listeningAfterMs + performance.now() - askedMs;
}
