import { checkAnswer } from '../server/check.ts';
import { type Server, startServer } from '../server/server.ts';
import { type Sink, startSink } from '../sink/sink.ts';
import { asMeasured, exportModeOf, needsSink } from '../suite/exporting.ts';
import { type LoadedTask, sentIn } from '../suite/load.ts';
import type { Exchange, Scenario } from '../suite/suite-schema.ts';
import { type Bench, type Both, forBoth, inTurn } from './bench.ts';
import { type PlannedPair, sideAt } from './order.ts';

/** A server, what it runs, and what receives its spans if it exports them. */
export interface Started {
  scenario: Scenario;
  server: Server;
  sink: Sink | null;
}

/**
 * Starts both in the given order, each after the sink that it needs, and checks that each answers as it should. They end
 * when what it returns is disposed of.
 */
export async function startBoth(
  bench: Bench,
  { task, scenario, startedFirst }: PlannedPair,
  moreEnv: Record<string, string> = {},
): Promise<Both<Started> & AsyncDisposable> {
  const { pinning, configuration } = bench;
  // What is used last ends first: a server may export what it has left.
  await using ending = new AsyncDisposableStack();
  const servers = await inTurn(startedFirst, async (side) => {
    const own = side === 'baseline' ? task.baseline : scenario;
    const sink = needsSink(task, own) ? ending.use(await startSink(pinning)) : null;
    const server = await startServer(asMeasured(task, own, configuration.export, sink?.address), bench, moreEnv);
    ending.use(server.child);
    for (const exchange of sentIn(task)) await checkAnswer(own, server.origin, exchange);
    return { scenario: own, server, sink: exportModeOf(own, configuration.export) === 'otlp' ? sink : null };
  });
  const started = ending.move();
  return { ...servers, [Symbol.asyncDispose]: () => started.disposeAsync() };
}

/**
 * Times in ms from the start of a process to its first answer, of both by turns, so that whatever drifts meets both.
 * @throws Problem if one does not start, or gives a wrong answer.
 */
export async function startUpsMs(bench: Bench, task: LoadedTask, scenario: Scenario): Promise<Both<number[]>> {
  const { starts, export: mode } = bench.configuration;
  await using sink = await startSink(bench.pinning);
  const ms = forBoth((): number[] => []);
  for (let turn = 0; turn < starts; turn++)
    await inTurn(sideAt(turn, 'baseline'), async (side) => {
      const own = side === 'baseline' ? task.baseline : scenario;
      const measured = asMeasured(task, own, mode, sink.address);
      const { child, origin, listeningAfterMs } = await startServer(measured, bench);
      await using _ = child;
      const askedMs = performance.now();
      await checkAnswer(measured, origin, task.exchanges[0] as Exchange);
      ms[side].push(listeningAfterMs + performance.now() - askedMs);
    });
  return ms;
}
