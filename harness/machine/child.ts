import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../words/errors.ts';
import { readText } from './read.ts';
import { temporaryFolder, watchGroup } from './watchdog.ts';

const TERMINATE_WITHIN_MS = 5_000;
const POLL_MS = 2;

interface ChildOptions {
  /** Else those of this process. */
  cwd?: string;
  env?: Record<string, string | undefined>;
  /** Where its output is kept; removed when it is stopped. */
  folder?: string;
  /** It is killed after so many ms. */
  timeout?: number;
  /** `pipe`: its stdin stays open for as long as it and the harness live. */
  stdin?: 'pipe' | undefined;
}

interface Exit {
  /** Exit status, or null if a signal ended it. */
  code: number | null;
  signal: Bun.Subprocess['signalCode'];
  /** In words. */
  how: string;
}

const running = new Set<Child>();
let isClosed = false;

/**
 * A server or load tool: a process group of its own, so that all it starts ends with it, and Ctrl-C reaches the harness
 * alone, which then decides. Its output goes to files: an unread pipe would fill and stall it.
 */
export class Child implements AsyncDisposable {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  exit: Exit | undefined;
  private readonly process: Bun.Subprocess;
  private readonly folder: string;
  private stopping: Promise<void> | undefined;

  /** @throws Problem if there is no such program; Error once `endAllChildren` was called. */
  constructor(argv: string[], { folder = temporaryFolder(), env = process.env, stdin, ...options }: ChildOptions = {}) {
    checkOpen();
    const [stdout, stderr] = [Bun.file(join(folder, 'stdout')), Bun.file(join(folder, 'stderr'))];
    try {
      this.process = Bun.spawn(argv, {
        ...options,
        env,
        killSignal: 'SIGKILL',
        detached: true,
        stdio: [stdin ?? 'ignore', stdout, stderr],
      });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const remedy = code === 'E2BIG' ? 'Give a large body in a file, as bodyFile' : 'See whether it is installed';
      throw new Problem(`${argv[0]} can't be started: ${message}`, remedy);
    }
    this.folder = folder;
    this.pid = this.process.pid;
    watchGroup('add', this.pid);
    running.add(this);
    this.exited = this.process.exited.then(() => {
      const { exitCode: code, signalCode: signal } = this.process;
      this.exit = { code, signal, how: signal ? `signal ${signal}` : `status ${code}` };
      return this.exit;
    });
  }

  /** Waits until it is ready: until it `what`. Returns undefined then, else what it did instead, in words. */
  async unready(what: string, isReady: () => boolean | Promise<boolean>, withinMs: number) {
    const deadline = performance.now() + withinMs;
    while (!(await isReady())) {
      const ended = this.exit && `ended with ${this.exit.how}`;
      if (ended || performance.now() > deadline)
        return `${ended ?? `took more than ${withinMs / 1_000} s`} before it ${what}; it said: ${this.complaint() || 'nothing'}`;
      await Bun.sleep(POLL_MS);
    }
  }

  /** CPU time in ns that it used, user and system, and how often its threads fell asleep; zeros while it runs. */
  usage(): { cpuNs: number; sleeps: number } {
    const usage = this.process.resourceUsage();
    return { cpuNs: Number(usage?.cpuTime.total ?? 0) * 1_000, sleeps: usage?.contextSwitches.voluntary ?? 0 };
  }

  /** What it wrote to stdout so far; nothing once it is stopped. */
  stdout(): string {
    return readText(join(this.folder, 'stdout')) ?? '';
  }

  /** The last lines of stderr, or of stdout if stderr is empty. */
  complaint(): string {
    const end = (name: string) => Bun.spawnSync(['tail', '-c', '2000', join(this.folder, name)]).stdout.toString();
    return (end('stderr') || end('stdout')).trim().split('\n').slice(-8).join('\n');
  }

  /** Ends it and all that it started: by the signal, and by SIGKILL for what is left 5 s later. Safe to call again. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.stopping ??= this.end(signal);
    return this.stopping;
  }

  readonly [Symbol.asyncDispose] = () => this.stop();

  private async end(signal: NodeJS.Signals): Promise<void> {
    this.signal(signal);
    const timer = setTimeout(() => this.signal('SIGKILL'), TERMINATE_WITHIN_MS);
    await this.exited;
    clearTimeout(timer);
    this.signal('SIGKILL');
    watchGroup('remove', this.pid);
    running.delete(this);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private signal(name: NodeJS.Signals): void {
    try {
      process.kill(-this.pid, name);
    } catch {
      // The group has ended already.
    }
  }
}

/** @throws Error once `endAllChildren` was called: what was measured since is not to be kept. */
export function checkOpen(): void {
  if (isClosed) throw new Error('the run is ending: nothing more is started');
}

/** Stops every child that runs and lets no other start: whoever waits for one, or wants one, fails. */
export async function endAllChildren(): Promise<void> {
  isClosed = true;
  await Promise.all([...running].map((child) => child.stop()));
}
