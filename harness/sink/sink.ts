import { join } from 'node:path';
import getPort from 'get-port';
import { Child } from '../machine/child.ts';
import { type Pinning, pinned } from '../machine/pinning.ts';
import type { SinkCounts } from './span-counter.ts';

const SCRIPT = join(import.meta.dir, 'sink-main.ts');
const LISTEN_WITHIN_MS = 10_000;
const ANSWER_WITHIN_MS = 2_000;
const POLL_MS = 10;

/** What receives the spans of one server. If it can't start or dies, its server finds nobody there, and `counts` says why. */
export class Sink {
  private constructor(
    private readonly port: number,
    private readonly child: Child,
  ) {}

  /** Resolves when the sink listens, or when it is clear that it won't. */
  static async start(pinning: Pinning | undefined): Promise<Sink> {
    const port = await getPort();
    const sink = new Sink(port, new Child(sinkArgv(port, pinning), { cwd: process.cwd(), env: process.env }));
    const deadline = performance.now() + LISTEN_WITHIN_MS;
    while ('fault' in (await sink.counts()) && !sink.child.exit && performance.now() < deadline)
      await Bun.sleep(POLL_MS);
    return sink;
  }

  get pid(): number {
    return this.child.pid;
  }

  /** Host and port, for the server's variables. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** What it has received so far, or why it can't tell. */
  async counts(): Promise<SinkCounts | { fault: string }> {
    try {
      const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
      return (await (await fetch(`http://${this.address}/counts`, { signal })).json()) as SinkCounts;
    } catch (error) {
      const { exit } = this.child;
      if (!exit) return { fault: `the sink does not answer: ${(error as Error).message}` };
      return { fault: `the sink ended with ${exit.signal ?? `status ${exit.code}`}: ${this.child.complaint()}` };
    }
  }

  /** Ends it, after its server. */
  stop(): Promise<void> {
    return this.child.stop();
  }
}

/** The command that starts a sink at the port, on the core of its own if it has one, else on the load tool's. */
export function sinkArgv(port: number, pinning: Pinning | undefined): string[] {
  return pinned([process.execPath, SCRIPT, String(port)], pinning?.sinkCore ?? pinning?.toolCores);
}
