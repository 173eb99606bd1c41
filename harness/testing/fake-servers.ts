// The processes of a fake world, and its clock.
import type { Behaviour } from './fake-behaviour.ts';

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

/** All servers that were started, by their number. Nothing waits: a sleep moves the clock on. */
export class FakeServers {
  nowMs = 0;
  private readonly servers: FakeServer[] = [];
  private readonly exits = new Map<string, { description: string }>();
  private readonly memoryKills = new Map<string, number>();

  constructor(private readonly behaviour: Behaviour) {}

  /** Adds a fresh server. Returns its number, from 1 on. */
  add(name: string): number {
    const start = this.servers.filter((each) => each.name === name).length + 1;
    const costUs = this.behaviour.costsUs?.(name, start) ?? 10;
    const leftNs = (this.behaviour.startingMs?.[name] ?? 0) * 1e6;
    return this.servers.push({ name, costUs, cpuNs: 0, leftNs, loads: 0 });
  }

  /** Ends those that end under load. */
  endUnderLoad(name: string): void {
    if (this.behaviour.outOfMemory?.includes(name))
      this.memoryKills.set(name, (this.memoryKills.get(name) ?? 0) + 1);
    if (this.behaviour.ending?.includes(name)) this.kill(name);
  }

  /** Has a server answer a load. Returns how many loads it had; 1 if there is no such server. */
  answer(name: string, number: number, requests: number): number {
    const server = this.servers[number - 1];
    if (!server) return 1;
    server.loads++;
    server.cpuNs += requests * server.costUs * 1e3;
    server.leftNs = (this.behaviour.lingeringMs?.[name] ?? 0) * 1e6;
    return server.loads;
  }

  async sleep(wantedMs: number): Promise<void> {
    const ms = wantedMs + (this.behaviour.lookMs ?? 0);
    this.nowMs += ms;
    for (const server of this.servers) {
      const usedNs = Math.min(ms * 1e6, server.leftNs);
      const idleShare = this.behaviour.idleShares?.[server.name] ?? 0;
      server.cpuNs += usedNs + ms * 1e6 * idleShare;
      server.leftNs -= usedNs;
      if (wantedMs >= LONG_REST_MS && server.loads === this.behaviour.endingAfter?.[server.name])
        this.kill(server.name);
    }
  }

  /** Returns how servers of that name have ended; undefined while they run. */
  exitOf(name: string): { description: string } | undefined {
    return this.exits.get(name);
  }

  nameOf(pid: number): string {
    return this.serverOf(pid)?.name ?? 'nobody';
  }

  watchCpu(pid: number) {
    const usedNs = () => this.serverOf(pid)?.cpuNs ?? 0;
    const before = usedNs();
    return () => (this.behaviour.hasClock ? { ns: usedNs() - before } : {});
  }

  watchOutOfMemory(pid: number) {
    const kills = () => this.memoryKills.get(this.nameOf(pid)) ?? 0;
    const before = kills();
    return () => kills() > before;
  }

  watchCores() {
    const usedNs = () => this.servers.reduce((sum, { cpuNs }) => sum + cpuNs, 0);
    const before = usedNs();
    const beforeMs = this.nowMs;
    return () => {
      if (!this.behaviour.hasCores) return null;
      return {
        wallNs: 0,
        server: { busyNs: usedNs() - before, stealNs: 0 },
        tool: { busyNs: (this.nowMs - beforeMs) * 1e6, stealNs: 0 },
      };
    };
  }

  private kill(name: string): void {
    this.exits.set(name, { description: 'signal SIGKILL' });
  }

  private serverOf(pid: number): FakeServer | undefined {
    return this.servers[pid - FIRST_PID - 1];
  }
}

/** Returns the process of the server of this number; of 0 that of a sink. */
export function pidOf(number: number): number {
  return FIRST_PID + number;
}
