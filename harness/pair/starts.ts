import type { Plan } from '../plan.ts';
import type { Server } from '../server/server.ts';
import type { Sink } from '../sink/sink.ts';
import type { PlannedServer } from '../suite/planned.ts';
import { sentIn } from '../suite/select.ts';
import type { PlannedPair } from './order.ts';
import { type Both, sidesAt } from './sides.ts';

/** A server, what it runs, and what receives its spans if it exports to a sink. */
export interface Started {
  planned: PlannedServer;
  server: Server;
  sink: Sink | null;
}

/** Starts both in the given order, each after its sink, and checks their answers. They end when this is disposed of. */
export async function startBoth(
  plan: Plan,
  { row, startedFirst }: PlannedPair,
  moreEnv: Record<string, string> = {},
): Promise<Both<Started> & AsyncDisposable> {
  // What is used last ends first: a server may export what it has left.
  await using ending = new AsyncDisposableStack();
  const servers = {} as Both<Started>;
  for (const side of sidesAt(0, startedFirst)) {
    const planned = row[side];
    const sink = planned.sink ? ending.use(await plan.rig.startSink(plan.pinning, planned)) : null;
    const server = await plan.rig.startServer(planned, plan, sentIn(row.task), sink?.address, moreEnv);
    ending.use(server.child);
    servers[side] = { planned, server, sink };
  }
  const started = ending.move();
  return { ...servers, [Symbol.asyncDispose]: () => started.disposeAsync() };
}
