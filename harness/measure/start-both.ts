import { checkAnswer } from '../server/check.ts';
import { type Server, startServer } from '../server/server.ts';
import { type Sink, startSink } from '../sink/sink.ts';
import { asMeasured, needsSink } from '../suite/exporting.ts';
import { sentIn } from '../suite/load.ts';
import type { Scenario } from '../suite/suite-schema.ts';
import { type Bench, type Both, inTurn } from './bench.ts';
import type { PlannedPair } from './order.ts';

/** A server, what it runs, and what receives its spans if it exports to a sink. */
export interface Started {
  scenario: Scenario;
  server: Server;
  sink: Sink | null;
}

/**
 * Starts the two one after the other, in the given order, each after the sink that it needs, and checks that each answers as
 * it should. They end when what it returns is disposed of.
 */
export async function startBoth(
  bench: Bench,
  { task, scenario, startedFirst }: Omit<PlannedPair, 'loadedFirst'>,
  moreEnv: Record<string, string> = {},
): Promise<Both<Started> & AsyncDisposable> {
  const { pinning, configuration } = bench;
  // What is used last ends first: a server may export what it has left.
  await using ending = new AsyncDisposableStack();
  const servers = await inTurn(startedFirst, async (side) => {
    const own = side === 'baseline' ? task.baseline : scenario;
    const sink = needsSink(task, own, configuration.export) ? ending.use(await startSink(pinning)) : null;
    const server = await startServer(asMeasured(task, own, configuration.export, sink?.address), bench, moreEnv);
    ending.use(server.child);
    for (const exchange of sentIn(task)) await checkAnswer(own, server.origin, exchange);
    return { scenario: own, server, sink };
  });
  const started = ending.move();
  return { ...servers, [Symbol.asyncDispose]: () => started.disposeAsync() };
}
