import type { Child } from '../machine/child.ts';
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
  const sinks: Sink[] = [];
  const children: Child[] = [];
  await using ending = new AsyncDisposableStack();
  // The last that is deferred comes first: a server may export what it has left.
  ending.defer(() => endAll(sinks));
  ending.defer(() => endAll(children));
  const servers = await inTurn(startedFirst, async (side) => {
    const own = side === 'baseline' ? task.baseline : scenario;
    const sink = needsSink(task, own, configuration.export) ? await startSink(pinning) : null;
    if (sink) sinks.push(sink);
    const server = await startServer(asMeasured(task, own, configuration.export, sink?.address), bench, moreEnv);
    children.push(server.child);
    for (const exchange of sentIn(task)) await checkAnswer(own, server.origin, exchange);
    return { scenario: own, server, sink };
  });
  const started = ending.move();
  return { ...servers, [Symbol.asyncDispose]: () => started.disposeAsync() };
}

/** All at once: one that ignores SIGTERM takes 5 s. */
async function endAll(all: AsyncDisposable[]): Promise<void> {
  await Promise.all(all.map((each) => each[Symbol.asyncDispose]()));
}
