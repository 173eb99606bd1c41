import { checkAnswer } from '../server/check.ts';
import { type Server, startServer } from '../server/server.ts';
import { type Sink, startSink } from '../sink/sink.ts';
import { asMeasured, needsSink } from '../suite/exporting.ts';
import type { Scenario } from '../suite/suite-schema.ts';
import { type Bench, type Both, inTurn, SIDES } from './bench.ts';
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
  await using children = new AsyncDisposableStack();
  const servers = await inTurn(startedFirst, async (side) => {
    const own = side === 'baseline' ? task.baseline : scenario;
    const sink = needsSink(task, own, configuration.export) ? await startSink(pinning) : null;
    // Before its server, so that it ends after it: a server may export what it has left when it ends.
    children.use(sink?.child);
    const server = await startServer(asMeasured(task, own, configuration.export, sink?.address), bench, moreEnv);
    children.use(server.child);
    for (const exchange of task.exchanges) await checkAnswer(own, server.origin, exchange);
    return { scenario: own, server, sink };
  });
  const started = children.move();
  const stop = async () => {
    // At once: one that ignores SIGTERM takes 5 s.
    await Promise.all(SIDES.map((side) => servers[side].server.child.stop()));
    await started.disposeAsync();
  };
  return { ...servers, [Symbol.asyncDispose]: stop };
}
