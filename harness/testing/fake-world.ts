import type { LoadError } from '../load/load-result.ts';
import type { World } from '../pair/world.ts';
import type { PlannedServer } from '../plan/planned-server.ts';
import type { ContainerUse } from '../result/schema.ts';
import type { Exchange } from '../suite/suite.ts';
import { ScenarioProblem } from '../words/errors.ts';

/**
 * A world in which no process is started and nothing waits: it has a clock of its own, and notes
 * what is done to it.
 */
export interface FakeWorld {
  world: World;
  /** What was done, in its order: `start base`, `load base / by 10 for 1 s`, `stop base`. */
  events: string[];
}

/**
 * What the servers of a fake world answer to a load, and how they misbehave, by name of the server.
 */
export interface Behaviour {
  /** Answers a second. */
  rates?: Record<string, number>;
  errors?: Record<string, FakeError[]>;
  /**
   * The loads on a server that have these errors, of its first from 1 on; all of them if not given.
   */
  errorsIn?: (load: number) => boolean;
  /** Those that don't start. */
  missing?: string[];
  /** Those whose process ends under load. */
  ending?: string[];
  /** From the check of this number on, counted for each server, the answer is wrong. */
  wrongFrom?: Record<string, number>;
  /**
   * CPU time of a request in µs, of a server that was started as the n-th of its name, from 1 on.
   */
  costsUs?: (name: string, start: number) => number;
  /** Those whose process ends while it rests after its load of this number. */
  endingAfter?: Record<string, number>;
  /** CPU time that a server still takes once it has started. */
  startingMs?: Record<string, number>;
  /** Those whose load tool fails, each time. */
  failingTools?: string[];
  /** CPU time that a server still takes once a load on it has ended. */
  lingeringMs?: Record<string, number>;
  /** The part of a core that a server takes without requests, too. */
  idleShares?: Record<string, number>;
  /** What a look at all processes takes. */
  lookMs?: number;
  /** Whether a clock tells the CPU time of servers. */
  hasClock?: boolean;
  /**
   * Whether cores can be watched: the servers' does nothing else, and the load tool's work while
   * something sleeps.
   */
  hasCores?: boolean;
  /** How many spans arrive at each sink. */
  spans?: number;
  /** How far all came to the limits of their container; without limits if it is not given. */
  container?: ContainerUse;
  /** Those of which the kernel kills a process under load, for lack of memory. */
  outOfMemory?: string[];
  /** How many requests of a load find their connection closed, of each thousand. */
  closes?: Record<string, number>;
  /** Whether the load tool opens more connections than it needs, so that they are not counted. */
  opensMore?: boolean;
  /** For how long closed connections keep more than half of all ports. */
  keepsPortsForMs?: number;
  /** Whether a server resets connections, which leaves no trace. */
  resets?: boolean;
  /** `NODE_ENV` as the probe of each server sees it; without a probe if it is not given. */
  modes?: Record<string, string | null>;
}

/** Without a limit it is the server's. */
type FakeError = Pick<LoadError, 'detail' | 'count'> & Partial<LoadError>;

const ANSWERS_PER_SECOND = 1_000;
/** Between two slices a server that rests is looked at again sooner. */
const LONG_REST_MS = 500;
/** From here on, no process has such a number. */
const FIRST_PID = 2 ** 30;

/** A server of the fake world. */
interface FakeServer {
  name: string;
  costUs: number;
  /** CPU time so far. */
  cpuNs: number;
  /** CPU time that its last load has left to be done. */
  leftNs: number;
  /** How many loads it had. */
  loads: number;
}

/** Returns a world whose servers behave like that. */
export function fakeWorld(behaviour: Behaviour = {}): FakeWorld {
  const events: string[] = [];
  const servers: FakeServer[] = [];
  const checks = new Map<string, number>();
  const memoryKills = new Map<string, number>();
  const exits = new Map<string, { description: string }>();
  let nowMs = 0;
  let opened = 0;
  const closedBy = new Map<string, number>();

  async function checkAnswer(server: { name: string }, _origin: string, exchange: Exchange) {
    const { name } = server;
    events.push(`check ${name} ${exchange.request.path}`);
    const count = (checks.get(name) ?? 0) + 1;
    checks.set(name, count);
    if (count >= (behaviour.wrongFrom?.[name] ?? Number.POSITIVE_INFINITY)) {
      const detail = 'expected status 200, received 500';
      throw new ScenarioProblem(name, 'gave a wrong answer', detail, 'Fix it');
    }
  }

  async function startServer(
    { name }: PlannedServer,
    exchanges: readonly Exchange[],
    sinkAddress: string | undefined,
  ) {
    events.push(`start ${name}${sinkAddress ? ` for ${sinkAddress}` : ''}`);
    if (behaviour.missing?.includes(name))
      throw new ScenarioProblem(name, 'did not start', '', 'Fix it');
    const start = servers.filter((each) => each.name === name).length + 1;
    const costUs = behaviour.costsUs?.(name, start) ?? 10;
    const leftNs = (behaviour.startingMs?.[name] ?? 0) * 1e6;
    const number = servers.push({ name, costUs, cpuNs: 0, leftNs, loads: 0 });
    const origin = `http://${name}:${number}`;
    try {
      for (const exchange of exchanges) await checkAnswer({ name }, origin, exchange);
    } catch (error) {
      events.push(`stop ${name}`);
      throw error;
    }
    const child = fakeChild(name, FIRST_PID + number);
    return { pid: child.pid, origin, child, probe: fakeProbe(name), readyAfterMs: 10 };
  }

  function fakeChild(name: string, pid: number) {
    return {
      pid,
      get exit() {
        return exits.get(name);
      },
      get exitDescription() {
        const exit = exits.get(name);
        return exit && `with ${exit.description}; it said: out of memory`;
      },
      output: { lastLines: () => 'it said: nothing', trim: () => {} },
      stop: async () => void events.push(`end ${name}`),
      [Symbol.asyncDispose]: async () => void events.push(`stop ${name}`),
    };
  }

  function fakeProbe(name: string) {
    const mode = behaviour.modes?.[name];
    return {
      begin: async () => {},
      end: async () => (mode === undefined ? null : { mode }),
    };
  }

  async function startSink() {
    events.push('start sink');
    const counts = {
      spans: behaviour.spans ?? 0,
      payloads: 3,
      metricPayloads: 1,
      logRecords: 0,
      profiles: 0,
      bytes: 70,
      refused: [],
      fault: null,
    };
    return {
      address: 'sink',
      counts: async () => counts,
      child: { pid: FIRST_PID },
      [Symbol.asyncDispose]: async () => void events.push('stop sink'),
    };
  }

  async function runLoad(load: Parameters<World['runLoad']>[0]) {
    const [, name = '', number] = /(\w+):(\d+)$/.exec(load.origin) ?? [];
    const { connections, durationSeconds, rate } = load;
    const paths = load.requests.map(({ path }) => path).join();
    const pace = rate ? ` at ${rate}/s` : '';
    events.push(`load ${name} ${paths} by ${connections} for ${durationSeconds} s${pace}`);
    if (behaviour.outOfMemory?.includes(name))
      memoryKills.set(name, (memoryKills.get(name) ?? 0) + 1);
    if (behaviour.ending?.includes(name)) exits.set(name, { description: 'signal SIGKILL' });
    const answersPerSecond = behaviour.rates?.[name] ?? ANSWERS_PER_SECOND;
    const requests = Math.min(answersPerSecond, rate ?? answersPerSecond) * durationSeconds;
    const closes = (requests * (behaviour.closes?.[name] ?? 0)) / 1_000;
    opened += connections + closes;
    closedBy.set(`${number}`, (closedBy.get(`${number}`) ?? 0) + closes);
    const server = servers[Number(number) - 1];
    if (server) {
      server.loads++;
      server.cpuNs += requests * server.costUs * 1e3;
      server.leftNs = (behaviour.lingeringMs?.[name] ?? 0) * 1e6;
    }
    if (behaviour.failingTools?.includes(name)) return failedLoad(durationSeconds);
    const hasErrors = behaviour.errorsIn?.(server?.loads ?? 1) ?? true;
    return {
      requests,
      seconds: durationSeconds,
      errors: hasErrors ? (behaviour.errors?.[name] ?? []) : [],
      underWay: 0,
      latencyUs: null,
      toolCpuNs: 0,
      toolSleeps: null,
    };
  }

  function failedLoad(seconds: number) {
    return {
      requests: 0,
      seconds,
      errors: [{ limit: null, detail: 'bombardier ended', count: 1 }],
      hasToolFailed: true,
      underWay: 0,
      latencyUs: null,
      toolCpuNs: 0,
      toolSleeps: null,
    };
  }

  async function sleep(wantedMs: number) {
    const ms = wantedMs + (behaviour.lookMs ?? 0);
    nowMs += ms;
    for (const server of servers) {
      const usedNs = Math.min(ms * 1e6, server.leftNs);
      const idleShare = behaviour.idleShares?.[server.name] ?? 0;
      server.cpuNs += usedNs + ms * 1e6 * idleShare;
      server.leftNs -= usedNs;
      if (wantedMs >= LONG_REST_MS && server.loads === behaviour.endingAfter?.[server.name])
        exits.set(server.name, { description: 'signal SIGKILL' });
    }
  }

  function nameOf(pid: number): string {
    return servers[pid - FIRST_PID - 1]?.name ?? 'nobody';
  }

  function watchCpu(pid: number) {
    const usedNs = () => servers[pid - FIRST_PID - 1]?.cpuNs ?? 0;
    const before = usedNs();
    return () => (behaviour.hasClock ? { ns: usedNs() - before } : {});
  }

  function watchOutOfMemory(pid: number) {
    const before = memoryKills.get(nameOf(pid)) ?? 0;
    return () => (memoryKills.get(nameOf(pid)) ?? 0) > before;
  }

  function closedByServers(ports: readonly number[]) {
    const closed = (port: number) => (behaviour.resets ? 0 : (closedBy.get(`${port}`) ?? 0));
    return ports.map((port) => new Set(Array.from({ length: closed(port) }, (_, i) => `${i}`)));
  }

  async function askOnKeptConnections(
    origin: string,
    _requests: unknown,
    limits: Parameters<World['askOnKeptConnections']>[2],
  ) {
    const [, name = ''] = /(\w+):\d+$/.exec(origin) ?? [];
    const share = (behaviour.closes?.[name] ?? 0) / 1_000;
    const asked = Math.min(limits.requests, limits.closes / share);
    events.push(`ask ${name} ${asked} times`);
    const unannounced = Math.round(asked * share);
    return { asked, answered: asked - unannounced, announced: 0, unannounced };
  }

  function watchCores() {
    const usedNs = () => servers.reduce((sum, { cpuNs }) => sum + cpuNs, 0);
    const before = usedNs();
    const beforeMs = nowMs;
    return () => {
      if (!behaviour.hasCores) return null;
      return {
        wallNs: 0,
        server: { busyNs: usedNs() - before, stealNs: 0 },
        tool: { busyNs: (nowMs - beforeMs) * 1e6, stealNs: 0 },
      };
    };
  }

  const world = {
    startServer,
    startSink,
    checkAnswer,
    runLoad,
    toolCoreCount: 1,
    waitsForAnswers: false,
    watchCores,
    watchContainer: () => () => behaviour.container,
    watchOutOfMemory,
    memoryLimitBytes: behaviour.container?.memory?.limitBytes ?? null,
    passiveOpens: () => (behaviour.opensMore ? null : opened),
    keptPortShare: () => (nowMs < (behaviour.keepsPortsForMs ?? 0) ? 0.6 : 0),
    closedByServers,
    askOnKeptConnections,
    watchCpu,
    watchServices: () => () => 0,
    adoptOrphans: () => [],
    memoryBytes: () => null,
    cpuTimesUs: () => null,
    pause: (pid: number) => void events.push(`pause ${nameOf(pid)}`),
    resume: (pid: number) => void events.push(`resume ${nameOf(pid)}`),
    sleep,
    nowMs: () => nowMs,
  };
  // A fake server has only what pairs use of a server.
  return { world: world as unknown as World, events };
}
