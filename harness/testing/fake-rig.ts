import type { RIG } from '../pair/world.ts';
import type { Plan, PlannedRow } from '../plan/plan.ts';
import type { PlannedServer } from '../plan/planned-server.ts';
import { type Exchange, taskSchema } from '../suite/suite-schema.ts';
import { ScenarioProblem } from '../words/errors.ts';
import { fakeResult } from './fakes.ts';

/** What a pair does to the world, noted in its order and done by nobody: no process is started, and nothing is waited for. */
export type FakeRig = ReturnType<typeof fakeRig>;

/** What its servers answer to a load, and how they misbehave. By name of the server. */
interface Behaviour {
  /** Answers a second. */
  rates?: Record<string, number>;
  errors?: Record<string, { detail: string; count: number }[]>;
  /** Those that don't start. */
  missing?: string[];
  /** Those whose process ends under load. */
  ending?: string[];
  /** From the check of this number on, counted for each server, the answer is wrong. */
  wrongFrom?: Record<string, number>;
  /** CPU time of a request in µs, of a server that was started as the n-th of its name, from 1 on. */
  costsUs?: (name: string, start: number) => number;
  /** CPU time that a server still takes once a load on it has ended. */
  lingeringMs?: Record<string, number>;
  /** The part of a core that a server takes without requests, too. */
  idleShares?: Record<string, number>;
  /** What a look at all processes takes. */
  lookMs?: number;
  /** Whether a clock tells the CPU time of servers. */
  hasClock?: boolean;
  /** Whether cores can be watched: the servers' does nothing else, and the load tool's work while something sleeps. */
  hasCores?: boolean;
  /** What arrives at each sink. */
  spans?: number;
  /** `NODE_ENV` as the probe of each server sees it; without a probe if it is not given. */
  modes?: Record<string, string | null>;
}

const RATE = 1_000;
/** From here on, no process has such a number. */
const NO_PROCESS = 2 ** 30;

export function fakeRig({
  rates = {},
  errors = {},
  missing = [],
  ending = [],
  wrongFrom = {},
  costsUs = () => 10,
  lingeringMs = {},
  idleShares = {},
  lookMs = 0,
  hasClock = false,
  hasCores = false,
  spans = 0,
  modes = {},
}: Behaviour = {}) {
  const events: string[] = [];
  let nowMs = 0;
  const checks: Record<string, number> = {};
  const exits: Record<string, { how: string }> = {};
  const started: { name: string; costUs: number; cpuNs: number; leftNs: number }[] = [];
  const fake = {
    async startServer(
      { name }: PlannedServer,
      _: unknown,
      exchanges: Exchange[],
      sinkAddress?: string,
    ) {
      events.push(`start ${name}${sinkAddress ? ` for ${sinkAddress}` : ''}`);
      if (missing.includes(name)) throw new ScenarioProblem(name, 'did not start', '', 'Fix it');
      const count = started.filter((each) => each.name === name).length;
      const number = started.push({ name, costUs: costsUs(name, count + 1), cpuNs: 0, leftNs: 0 });
      const child = {
        pid: NO_PROCESS + number,
        get exit() {
          return exits[name];
        },
        get ending() {
          return exits[name] && `with ${exits[name].how}; it said: out of memory`;
        },
        lastWords: () => 'it said: nothing',
        stop: async () => void events.push(`end ${name}`),
        [Symbol.asyncDispose]: async () => void events.push(`stop ${name}`),
      };
      const mode = modes[name];
      const probe = {
        begin: async () => {},
        end: async () => (mode === undefined ? null : { mode }),
      };
      const origin = `http://${name}:${number}`;
      try {
        for (const exchange of exchanges) await fake.checkAnswer({ name }, origin, exchange);
      } catch (error) {
        events.push(`stop ${name}`);
        throw error;
      }
      return { pid: child.pid, origin, child, probe, readyAfterMs: 10 };
    },
    async startSink() {
      events.push('start sink');
      const counts = async () => ({ spans, payloads: 3, bytes: 70, refused: [], fault: null });
      const child = { pid: NO_PROCESS };
      return {
        address: 'sink',
        counts,
        child,
        [Symbol.asyncDispose]: async () => void events.push('stop sink'),
      };
    },
    async checkAnswer(
      { name }: { name: string },
      _origin: string,
      { request }: { request: { path: string } },
    ) {
      events.push(`check ${name} ${request.path}`);
      checks[name] = (checks[name] ?? 0) + 1;
      if (checks[name] >= (wrongFrom[name] ?? Number.POSITIVE_INFINITY))
        throw new ScenarioProblem(
          name,
          'gave a wrong answer',
          'expected status 200, received 500',
          'Fix it',
        );
      return 'Hi';
    },
    async runLoad(_tool: unknown, load: Parameters<(typeof RIG)['runLoad']>[1]) {
      const [, name = '', number] = /(\w+):(\d+)$/.exec(load.origin) ?? [];
      const rate = load.rate ? ` at ${load.rate}/s` : '';
      const paths = load.requests.map(({ path }) => path).join();
      events.push(
        `load ${name} ${paths} by ${load.connections} for ${load.durationSeconds} s${rate}`,
      );
      if (ending.includes(name)) exits[name] = { how: 'signal SIGKILL' };
      const perSecond = Math.min(rates[name] ?? RATE, load.rate ?? Number.POSITIVE_INFINITY);
      const requests = perSecond * load.durationSeconds;
      const server = started[Number(number) - 1];
      if (server) server.cpuNs += requests * server.costUs * 1e3;
      if (server) server.leftNs = (lingeringMs[name] ?? 0) * 1e6;
      const rest = { underWay: 0, latencyUs: null, toolCpuNs: 0, toolSleeps: null };
      return { requests, seconds: load.durationSeconds, errors: errors[name] ?? [], ...rest };
    },
    nowMs: () => nowMs,
    async sleep(asked: number) {
      const ms = asked + lookMs;
      nowMs += ms;
      for (const server of started) {
        const usedNs = Math.min(ms * 1e6, server.leftNs);
        server.cpuNs += usedNs + ms * 1e6 * (idleShares[server.name] ?? 0);
        server.leftNs -= usedNs;
      }
    },
    watchCores() {
      const usedNs = () => started.reduce((sum, { cpuNs }) => sum + cpuNs, 0);
      const [before, beforeMs] = [usedNs(), nowMs];
      const busy = (busyNs: number) => ({ busyNs, stealNs: 0 });
      return () =>
        hasCores
          ? { wallNs: 0, server: busy(usedNs() - before), tool: busy((nowMs - beforeMs) * 1e6) }
          : null;
    },
    adopt: () => [],
    memoryBytes: () => null,
    cpuTimesUs: () => null,
    watchGroup(pid: number) {
      const usedNs = () => started[pid - NO_PROCESS - 1]?.cpuNs ?? 0;
      const before = usedNs();
      return () => (hasClock ? { ns: usedNs() - before } : {});
    },
  };
  return { events, rig: fake as unknown as typeof RIG };
}

/** A plan of two rows, `base` against itself and `other`, that nothing on this machine has a part in. */
export function fakePlan(
  configuration: Partial<Plan['header']['configuration']> = {},
  rows = fakeRows(),
): Plan {
  const {
    pairs: _,
    startUps: _s,
    idles: _i,
    endedAt: _e,
    stoppedBy: _b,
    kind: _k,
    schemaVersion: _v,
    ...header
  } = fakeResult([]);
  return {
    header: { ...header, configuration: { ...header.configuration, pairs: 1, ...configuration } },
    rows,
    seconds: { startUps: 1, pair: 1, idle: 1, all: 1 },
    tool: {} as Plan['tool'],
    pinning: undefined,
    listen: '127.0.0.1',
    rig: fakeRig().rig,
  };
}

/** Rows of one task, `/` by 10 connections; `more` is set in the task, `server` in the scenario `other`. */
export function fakeRows(
  more: Partial<PlannedRow['task']> = {},
  server: Partial<PlannedServer> = {},
): PlannedRow[] {
  const { exchanges } = taskSchema.parse({ name: 'default', exchanges: [{}] });
  const task = {
    name: 'default',
    exchanges,
    warmUp: [],
    connections: 10,
    ...more,
  } as PlannedRow['task'];
  const baseline = fakeServer('base');
  const other = { ...fakeServer('other'), ...server };
  return [baseline, other].map((scenario) => ({ label: scenario.name, task, baseline, scenario }));
}

/** A server that exports nothing. */
export function fakeServer(name: string): PlannedServer {
  return {
    ...{
      name,
      title: name,
      command: [name],
      versions: undefined,
      cwd: '/',
      env: {},
      startWithinSeconds: 10,
    },
    ...{
      sink: false,
      spans: null,
      flushesAtEnd: false,
      uncounted: [],
      exportsSpans: false,
      services: [],
    },
    receiver: 'takes',
  };
}
