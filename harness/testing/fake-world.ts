// A world of pairs without processes: its servers behave as a test says, and it notes what is done
// to them.
import type { World } from '../pair/world.ts';
import type { PlannedServer } from '../plan/planned-server.ts';
import type { Exchange } from '../suite/suite.ts';
import { ScenarioProblem } from '../words/errors.ts';
import type { Behaviour } from './fake-behaviour.ts';
import { FakeConnections } from './fake-connections.ts';
import { FakeServers, pidOf } from './fake-servers.ts';

/**
 * A world in which no process is started and nothing waits: it has a clock of its own, and notes
 * what is done to it.
 */
export interface FakeWorld {
  world: World;
  /** What was done, in its order: `start base`, `load base / by 10 for 1 s`, `stop base`. */
  events: string[];
}

const ANSWERS_PER_SECOND = 1_000;

/** What is done to a fake world, and what it answers. */
class FakeActions {
  readonly events: string[] = [];
  private readonly checks = new Map<string, number>();

  constructor(
    private readonly behaviour: Behaviour,
    private readonly servers: FakeServers,
    private readonly connections: FakeConnections,
  ) {}

  async checkAnswer(server: { name: string }, _origin: string, exchange: Exchange): Promise<void> {
    const { name } = server;
    this.events.push(`check ${name} ${exchange.request.path}`);
    const count = (this.checks.get(name) ?? 0) + 1;
    this.checks.set(name, count);
    if (count >= (this.behaviour.wrongFrom?.[name] ?? Number.POSITIVE_INFINITY)) {
      const detail = 'expected status 200, received 500';
      throw new ScenarioProblem(name, 'gave a wrong answer', detail, 'Fix it');
    }
  }

  async startServer(
    { name }: PlannedServer,
    exchanges: readonly Exchange[],
    sinkAddress: string | undefined,
  ) {
    this.events.push(`start ${name}${sinkAddress ? ` for ${sinkAddress}` : ''}`);
    if (this.behaviour.missing?.includes(name))
      throw new ScenarioProblem(name, 'did not start', '', 'Fix it');
    const number = this.servers.add(name);
    const origin = `http://${name}:${number}`;
    try {
      for (const exchange of exchanges) await this.checkAnswer({ name }, origin, exchange);
    } catch (error) {
      this.events.push(`stop ${name}`);
      throw error;
    }
    const child = this.childOf(name, pidOf(number));
    return { pid: child.pid, origin, child, probe: this.probeOf(name), readyAfterMs: 10 };
  }

  async startSink() {
    const { events, behaviour } = this;
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
      child: { pid: pidOf(0) },
      [Symbol.asyncDispose]: async () => void events.push('stop sink'),
    };
  }

  async runLoad(load: Parameters<World['runLoad']>[0]) {
    const { behaviour, servers } = this;
    const [, name = '', number] = /(\w+):(\d+)$/.exec(load.origin) ?? [];
    const { connections, durationSeconds, rate } = load;
    const paths = load.requests.map(({ path }) => path).join();
    const pace = rate ? ` at ${rate}/s` : '';
    this.events.push(`load ${name} ${paths} by ${connections} for ${durationSeconds} s${pace}`);
    servers.endUnderLoad(name);
    const answersPerSecond = behaviour.rates?.[name] ?? ANSWERS_PER_SECOND;
    const requests = Math.min(answersPerSecond, rate ?? answersPerSecond) * durationSeconds;
    this.connections.add(`${number}`, connections, (requests * this.closesOf(name)) / 1_000);
    const loads = servers.answer(name, Number(number), requests);
    if (behaviour.failingTools?.includes(name)) return failedLoad(durationSeconds);
    const hasErrors = behaviour.errorsIn?.(loads) ?? true;
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

  async askOnKeptConnections(
    origin: string,
    _requests: unknown,
    limits: Parameters<World['askOnKeptConnections']>[2],
  ) {
    const [, name = ''] = /(\w+):\d+$/.exec(origin) ?? [];
    const share = this.closesOf(name) / 1_000;
    const asked = Math.min(limits.requests, limits.closes / share);
    this.events.push(`ask ${name} ${asked} times`);
    const unannounced = Math.round(asked * share);
    return { asked, answered: asked - unannounced, announced: 0, unannounced };
  }

  private childOf(name: string, pid: number) {
    const { events, servers } = this;
    return {
      pid,
      get exit() {
        return servers.exitOf(name);
      },
      get exitDescription() {
        const exit = servers.exitOf(name);
        return exit && `with ${exit.description}; it said: out of memory`;
      },
      output: { lastLines: () => 'it said: nothing', trim: () => {} },
      stop: async () => void events.push(`end ${name}`),
      [Symbol.asyncDispose]: async () => void events.push(`stop ${name}`),
    };
  }

  private probeOf(name: string) {
    const mode = this.behaviour.modes?.[name];
    return {
      begin: async () => {},
      end: async () => (mode === undefined ? null : { mode }),
    };
  }

  /** Returns how many requests of a thousand find their connection closed. */
  private closesOf(name: string): number {
    return this.behaviour.closes?.[name] ?? 0;
  }
}

function failedLoad(seconds: number) {
  return {
    requests: 0,
    seconds,
    errors: [{ limit: null, detail: 'bombardier ended', count: 1 }],
    failedAs: 'load-tool-failed' as const,
    underWay: 0,
    latencyUs: null,
    toolCpuNs: 0,
    toolSleeps: null,
  };
}

/** Returns a world whose servers behave like that. */
export function fakeWorld(behaviour: Behaviour = {}): FakeWorld {
  const servers = new FakeServers(behaviour);
  const connections = new FakeConnections(behaviour);
  const actions = new FakeActions(behaviour, servers, connections);
  const { events } = actions;
  const world = {
    startServer: actions.startServer.bind(actions),
    startSink: actions.startSink.bind(actions),
    checkAnswer: actions.checkAnswer.bind(actions),
    runLoad: actions.runLoad.bind(actions),
    toolCoreCount: 1,
    waitsForAnswers: false,
    watchCores: () => servers.watchCores(),
    watchContainer: () => () => behaviour.container,
    watchOutOfMemory: (pid: number) => servers.watchOutOfMemory(pid),
    memoryLimitBytes: behaviour.container?.memory?.limitBytes ?? null,
    passiveOpens: () => connections.passiveOpens(),
    keptPortShare: () => connections.keptPortShare(servers.nowMs),
    closedByServers: (ports: readonly number[]) => connections.closedByServers(ports),
    askOnKeptConnections: actions.askOnKeptConnections.bind(actions),
    watchCpu: (pid: number) => servers.watchCpu(pid),
    watchServices: () => () => 0,
    adoptOrphans: () => [],
    memoryBytes: () => null,
    cpuTimesUs: () => null,
    pause: (pid: number) => void events.push(`pause ${servers.nameOf(pid)}`),
    resume: (pid: number) => void events.push(`resume ${servers.nameOf(pid)}`),
    sleep: (ms: number) => servers.sleep(ms),
    nowMs: () => servers.nowMs,
  };
  // A fake server has only what pairs use of a server.
  return { world: world as unknown as World, events };
}
