import { expect, test } from 'bun:test';
import type { PlannedPair, PlannedRow } from '../plan/plan.ts';
import { Child } from '../processes/child.ts';
import { pauseTree, resumeTree } from '../processes/pause.ts';
import { livingOf } from '../processes/processes.ts';
import { fakeRows, fakeServer } from '../testing/fake-plan.ts';
import { fakeWorld } from '../testing/fake-world.ts';
import { readText } from '../words/files.ts';
import type { Arms } from './arms.ts';
import type { Both } from './sides.ts';
import { measureTurns } from './turns.ts';
import type { World } from './world.ts';

const TURN_MS = 10;
const LOAD = { requests: [], connections: 1, durationSeconds: 1 };
const PAIR: PlannedPair = {
  row: fakeRows()[1] as PlannedRow,
  startedFirst: 'baseline',
  loadedFirst: 'baseline',
};

/** Two real servers that do nothing, of two processes each, and loads that end when a test says. */
class Turns implements AsyncDisposable {
  readonly servers: Both<Child> = { baseline: startServer(), scenario: startServer() };
  readonly loads = {
    baseline: Promise.withResolvers<void>(),
    scenario: Promise.withResolvers<void>(),
  };
  readonly measured: ReturnType<typeof measureTurns>;
  /** Whether a server was stopped when its load had ended, and its rest was waited for. */
  isStoppedAtRest = false;

  constructor() {
    const { world } = fakeWorld();
    const runLoad: World['runLoad'] = async (load) => {
      const side = load.origin.endsWith('baseline:1') ? 'baseline' : 'scenario';
      await this.loads[side].promise;
      return world.runLoad(load);
    };
    const adoptOrphans: World['adoptOrphans'] = (pid) => {
      this.isStoppedAtRest ||= stoppedOf(pid).length > 0;
      return [];
    };
    const real = { pause: pauseTree, resume: resumeTree, sleep: Bun.sleep, adoptOrphans };
    const arms = {
      baseline: this.arm('baseline'),
      scenario: this.arm('scenario'),
    } as unknown as Arms;
    const nowMs = () => performance.now();
    const running = { world: { ...world, ...real, runLoad, nowMs }, pair: PAIR, arms };
    this.measured = measureTurns(running, LOAD, TURN_MS);
    this.measured.catch(() => {});
  }

  private arm(side: keyof typeof this.servers) {
    const child = this.servers[side];
    const server = { child, pid: child.pid, origin: `http://${side}:1` };
    return {
      planned: fakeServer(side),
      server,
      sink: null,
      answered: 0,
      underWay: 0,
      atWarmUpEnd: null,
      shareBeforeLoad: 0,
      whileIdle: [],
    };
  }

  /** Resolves once both processes of the server are stopped, which happens in turns alone. */
  async waitUntilStopped(side: keyof typeof this.servers): Promise<void> {
    const { pid } = this.servers[side];
    let pids: number[] = [];
    while (pids.length < 2) {
      await Bun.sleep(1);
      pids = livingOf(pid).map((member) => member.pid);
    }
    // A look at these two alone takes no time, and so misses no turn.
    while (!pids.every(isStopped)) await Bun.sleep(1);
  }

  stopped(): number[] {
    return Object.values(this.servers).flatMap(({ pid }) => stoppedOf(pid));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const load of Object.values(this.loads)) load.resolve();
    await Promise.allSettled([this.measured]);
    for (const child of Object.values(this.servers)) await child.stop();
  }
}

function startServer(): Child {
  return new Child(['sh', '-c', 'setsid sleep 60 & wait'], { isServer: true });
}

/** Processes of the server that are stopped. */
function stoppedOf(child: number): number[] {
  const pids = livingOf(child).map(({ pid }) => pid);
  return pids.filter(isStopped);
}

function isStopped(pid: number): boolean {
  return /\) T /.test(readText(`/proc/${pid}/stat`) ?? '');
}

test('servers of several processes take turns, and rest unstopped', async () => {
  await using turns = new Turns();
  for (const side of ['scenario', 'baseline', 'scenario'] as const)
    await turns.waitUntilStopped(side);
  turns.loads.scenario.resolve();
  turns.loads.baseline.resolve();
  expect((await turns.measured).faults).toEqual([]);
  expect(turns.isStoppedAtRest).toBe(false);
  expect(turns.stopped()).toEqual([]);
});

test('a server that ends in the middle is told, and the other is not left stopped', async () => {
  await using turns = new Turns();
  const { baseline } = turns.servers;
  await turns.waitUntilStopped('baseline');
  process.kill(baseline.pid, 'SIGKILL');
  await baseline.exited;
  // Its turns go on until the loads end.
  await turns.waitUntilStopped('scenario');
  turns.loads.baseline.resolve();
  turns.loads.scenario.resolve();
  const { faults } = await turns.measured;
  expect(faults).toContainEqual(
    expect.objectContaining({ kind: 'server-ended', scenario: 'baseline' }),
  );
  expect(turns.stopped()).toEqual([]);
  await baseline.stop();
  expect(livingOf(baseline.pid)).toEqual([]);
});

test('a load that fails in the middle lets both servers go on, at once and for good', async () => {
  await using turns = new Turns();
  await turns.waitUntilStopped('scenario');
  turns.loads.scenario.reject(new Error('the tool has crashed'));
  await Bun.sleep(0);
  for (let look = 0; look < 5; look++) {
    expect(turns.stopped()).toEqual([]);
    await Bun.sleep(TURN_MS);
  }
  turns.loads.baseline.resolve();
  await expect(turns.measured).rejects.toThrow('the tool has crashed');
});

test.each(['baseline', 'scenario'] as const)(
  'a %s that is ended in the middle ends',
  async (side) => {
    await using turns = new Turns();
    await turns.waitUntilStopped(side);
    await turns.servers[side].stop();
    expect(livingOf(turns.servers[side].pid)).toEqual([]);
  },
);
