import { cpuTimeBetween } from '../machine/cpu-time.ts';
import type { Plan, PlannedRow } from '../plan.ts';
import { ScenarioProblem } from '../words/errors.ts';
import { RIG } from './rig.ts';
import { type Both, forBoth, SIDES } from './sides.ts';
import { startBoth } from './starts.ts';

/** What a server does in its first moments, it does once. */
const AFTER_MS = 1_000;
const POLL_MS = 200;

/**
 * CPU that both servers use side by side while nobody asks anything, in ms a second: SDKs have timers, and a service that
 * idles pays for them. Null without a clock. @throws Problem if one does not start, or ends.
 */
export async function idleMsPerSecond(plan: Plan, row: PlannedRow, rig = RIG): Promise<Both<number> | null> {
  const { clock } = plan;
  if (!clock) return null;
  await using servers = await startBoth(plan, { row, startedFirst: 'baseline', loadedFirst: 'baseline' }, rig);
  const wait = async (ms: number) => {
    const startMs = performance.now();
    while (performance.now() - startMs < ms) {
      const ended = SIDES.map((side) => servers[side]).find(({ server }) => server.child.exit);
      if (ended) throw new ScenarioProblem(ended.planned.name, 'ended without a request', '', 'See what it says');
      await Bun.sleep(POLL_MS);
    }
    return (performance.now() - startMs) / 1_000;
  };
  const read = () => forBoth((side) => rig.readGroup(clock, servers[side].server.child.pid));
  await wait(AFTER_MS);
  const before = read();
  const seconds = await wait(plan.header.configuration.idleSeconds * 1_000);
  const after = read();
  const used = forBoth((side) => (cpuTimeBetween(before[side], after[side]).ns ?? Number.NaN) / 1e6 / seconds);
  return SIDES.every((side) => Number.isFinite(used[side])) ? used : null;
}
