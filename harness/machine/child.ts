import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwatchGroup, watchGroup } from './watchdog.ts';

const TERMINATE_WITHIN_MS = 5_000;

export interface ChildOptions {
  cwd: string;
  env: Record<string, string | undefined>;
}

export interface Exit {
  /** Exit status, or null if a signal ended it. */
  code: number | null;
  signal: string | null;
}

const running = new Set<Child>();
let isClosed = false;

/**
 * A server or load tool: a process group of its own, so that whatever it starts ends with it, and so that Ctrl-C
 * reaches the harness alone, which then decides. Its output goes to files: an unread pipe would fill and stall it.
 */
export class Child {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  exit: Exit | undefined;
  private readonly process: Bun.Subprocess;
  private readonly stdoutFile = new UnnamedFile();
  private readonly stderrFile = new UnnamedFile();
  private stopping: Promise<void> | undefined;

  /** @throws Error once `endAllChildren` was called. */
  constructor(argv: string[], options: ChildOptions) {
    if (isClosed) throw new Error('no child is started any more');
    this.process = Bun.spawn(argv, {
      ...options,
      detached: true,
      stdin: 'ignore',
      stdout: this.stdoutFile.descriptor,
      stderr: this.stderrFile.descriptor,
    });
    this.pid = this.process.pid;
    watchGroup(this.pid);
    running.add(this);
    this.exited = this.process.exited.then(() => {
      const exit: Exit = { code: this.process.exitCode, signal: this.process.signalCode as string | null };
      this.exit = exit;
      return exit;
    });
  }

  /** CPU time in ns that it used, user and system, and how often its threads fell asleep; zeros while it runs. */
  usage(): { cpuNs: number; sleeps: number } {
    const usage = this.process.resourceUsage();
    return { cpuNs: Number(usage?.cpuTime.total ?? 0) * 1_000, sleeps: usage?.contextSwitches.voluntary ?? 0 };
  }

  /** What it wrote to stdout so far. */
  stdout(): string {
    return this.stdoutFile.tail(Number.MAX_SAFE_INTEGER);
  }

  /** The last lines of stderr, or of stdout if stderr is empty. */
  complaint(): string {
    const text = (this.stderrFile.tail(2_000) || this.stdoutFile.tail(2_000)).trim();
    return text.split('\n').slice(-8).join('\n');
  }

  /** Ends it at once; `stop` still has to be called. */
  kill(): void {
    signalGroup(this.pid, 'SIGKILL');
  }

  /** Ends it and all that it started: SIGTERM, and SIGKILL for what is left 5 s later. Safe to call again. */
  stop(): Promise<void> {
    this.stopping ??= this.end();
    return this.stopping;
  }

  private async end(): Promise<void> {
    signalGroup(this.pid, 'SIGTERM');
    const timer = setTimeout(() => this.kill(), TERMINATE_WITHIN_MS);
    await this.exited;
    clearTimeout(timer);
    this.kill();
    unwatchGroup(this.pid);
    running.delete(this);
    this.stdoutFile.close();
    this.stderrFile.close();
  }
}

/** Stops every child that runs and lets no other start: whoever waits for one, or wants one, fails. */
export async function endAllChildren(): Promise<void> {
  isClosed = true;
  await Promise.all([...running].map((child) => child.stop()));
}

function signalGroup(groupId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-groupId, signal);
  } catch {
    // The group has ended already.
  }
}

/** A file that has no name any more: it is gone with the last process that has it open, however that ends. */
class UnnamedFile {
  readonly descriptor: number;
  private isOpen = true;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'tracetax-'));
    this.descriptor = openSync(join(folder, 'output'), 'a+');
    rmSync(folder, { recursive: true });
  }

  /** Its last bytes as text; nothing once it is closed. */
  tail(bytes: number): string {
    if (!this.isOpen) return '';
    const { size } = fstatSync(this.descriptor);
    const length = Math.min(size, bytes);
    const buffer = Buffer.alloc(length);
    readSync(this.descriptor, buffer, 0, length, size - length);
    return buffer.toString('utf8');
  }

  close(): void {
    this.isOpen = false;
    closeSync(this.descriptor);
  }
}
