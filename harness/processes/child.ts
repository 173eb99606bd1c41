import { statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { orProblem, orUndefined } from '../words/errors.ts';
import { readText, removePath } from '../words/files.ts';
import { printToStderr } from '../words/output.ts';
import { adopt, follow, livingOf, membersOf, unfollow } from './processes.ts';
import { temporaryFolder, watchGroups } from './watchdog.ts';

/** What runs scripts of tracetax's own: what the project's bunfig.toml preloads is for its servers. */
export const OWN_BUN = [process.execPath, '--config=/dev/null'];

const TERMINATE_WITHIN_MS = 5_000;
const POLL_MS = 2;
/** Temporary files may be kept in memory. */
const MAX_OUTPUT_BYTES = 16 * 2 ** 20;
/** A server in the background is gone once it was not seen so often in turn. */
const MOST_MISSES = 10;

export interface ChildOptions {
  /** Else those of this process. */
  cwd?: string;
  env?: Record<string, string | undefined>;
  /** Where its output is kept; removed when it is stopped. Its processes know it by `$TRACETAX_FOLDER`. */
  folder?: string;
  /** What left its session ends with it, and so do orphans that nothing ties to another child. */
  isServer?: boolean;
  /** It is killed after so many ms. */
  timeout?: number;
  /** `pipe`: its stdin stays open for as long as it and the harness live. */
  stdin?: 'pipe' | undefined;
}

/** How a process has ended: by a status, or by a signal; and that in words. Undefined while it runs. */
function exitOf({ exitCode: code, signalCode: signal }: Bun.Subprocess) {
  if (code === null && signal === null) return undefined;
  return { code, signal, how: signal ? `signal ${signal}` : `status ${code}` };
}
type Exit = NonNullable<ReturnType<typeof exitOf>>;

const running = new Set<Child>();
let isClosed = false;

/**
 * A server or load tool in a session of its own: all that it starts ends with it, and Ctrl-C reaches the harness alone,
 * which then decides. Its output goes to files: an unread pipe would fill and stall it.
 */
export class Child implements AsyncDisposable {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  private readonly isServer: boolean;
  private readonly process: Bun.Subprocess;
  private readonly folder: string;
  private stopping: Promise<void> | undefined;

  /** @throws Problem if there is no such program; Error once `endAllChildren` was called. */
  constructor(
    argv: string[],
    {
      folder = temporaryFolder(),
      env = process.env,
      stdin,
      isServer = false,
      ...options
    }: ChildOptions = {},
  ) {
    checkOpen();
    // Orphans that are there already are of a server before.
    if (isServer) for (const each of running) if (each.isServer) adopt(each.pid);
    const { timeout = Number.POSITIVE_INFINITY } = options;
    const [stdout, stderr] = [Bun.file(join(folder, 'stdout')), Bun.file(join(folder, 'stderr'))];
    const spawn = () =>
      Bun.spawn(argv, {
        ...options,
        env: { ...env, TRACETAX_FOLDER: folder },
        killSignal: 'SIGKILL',
        detached: true,
        stdio: [stdin ?? 'ignore', stdout, stderr],
      });
    const startedMs = performance.now();
    this.process = orProblem(spawn, `${argv[0]} can't be started`, 'See whether it is installed');
    this.folder = folder;
    this.isServer = isServer;
    this.pid = this.process.pid;
    follow(this.pid, `TRACETAX_FOLDER=${folder}`);
    running.add(this);
    watchGroups(running);
    this.exited = this.process.exited.then(() => {
      const exit = exitOf(this.process) as Exit;
      if (!exit.signal || performance.now() - startedMs < timeout) return exit;
      return { ...exit, how: `${exit.how}, after ${timeout / 1_000} s at most` };
    });
  }

  /** Undefined while it runs: a server that puts itself into the background ends well, and lives on in what it started. */
  get exit(): Exit | undefined {
    const exit = exitOf(this.process);
    return exit?.code === 0 && membersOf(this.pid).some(({ hasEnded }) => !hasEnded)
      ? undefined
      : exit;
  }

  /** How it has ended, and what it said as its last, in words; undefined while it runs. */
  get ending(): string | undefined {
    const { exit } = this;
    return exit && `with ${exit.how}; ${this.lastWords()}`;
  }

  /** Waits until it is ready: until it `what`. Returns undefined then, else what it did instead, in words. */
  async unready(what: string, isReady: () => boolean | Promise<boolean>, withinMs: number) {
    const deadline = performance.now() + withinMs;
    let misses = 0;
    while (!(await isReady())) {
      // What goes into the background may have left all that ties it to this child.
      if (exitOf(this.process)) adopt(this.pid);
      const exit = this.exit;
      // While one of its processes makes way for the next, a look may miss both.
      misses = exit ? misses + 1 : 0;
      const isOver = exit && (exit.code !== 0 || misses >= MOST_MISSES);
      const how = isOver ? `ended with ${exit.how}` : `took more than ${withinMs / 1_000} s`;
      if (isOver || performance.now() > deadline)
        return `${how} before it ${what}; ${this.lastWords()}`;
      await Bun.sleep(POLL_MS);
    }
  }

  /** CPU time in ns that it used, user and system, and how often its threads fell asleep; zeros while it runs. */
  usage(): { cpuNs: number; sleeps: number } {
    const usage = this.process.resourceUsage();
    return {
      cpuNs: Number(usage?.cpuTime.total ?? 0) * 1_000,
      sleeps: usage?.contextSwitches.voluntary ?? 0,
    };
  }

  /** What it wrote to stdout so far; nothing once it is stopped. */
  stdout(): string {
    return readText(join(this.folder, 'stdout')) ?? '';
  }

  /** Frees what it wrote, if that is much: its next lines are kept again. A server may log each of its requests. */
  trimOutput(maxBytes = MAX_OUTPUT_BYTES): void {
    for (const file of ['stdout', 'stderr'].map((name) => join(this.folder, name)))
      if (statSync(file).size > maxBytes) truncateSync(file);
  }

  /** `it said: ...`, for messages: the last lines of stderr, or of stdout if stderr is empty. */
  lastWords(): string {
    const end = (name: string) =>
      Bun.spawnSync(['tail', '-c', '2000', join(this.folder, name)]).stdout.toString();
    const lines = (end('stderr') || end('stdout')).trim().split('\n');
    // Of a stack trace, what it begins with is of use.
    const told = lines.filter((line) => !/^\s+at /.test(line));
    return `it said: ${told.slice(-8).join('\n') || 'nothing'}`;
  }

  /** Ends it and all that it started: by the signal, and by SIGKILL for what is left 5 s later. Safe to call again. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.stopping ??= this.end(signal);
    return this.stopping;
  }

  readonly [Symbol.asyncDispose] = () => this.stop();

  private async end(signal: NodeJS.Signals): Promise<void> {
    // At the end of the run, nothing is to live on: a service may have put itself into the background.
    const isAll = this.isServer || isClosed;
    // A shell, or the first of a cluster, ends before others have sent their last.
    const livesOn = () => isAll && livingOf(this.pid).some(({ session }) => session === this.pid);
    for (const name of [signal, 'SIGKILL'] as const) {
      // The group may have ended already.
      orUndefined(() => process.kill(-this.pid, name));
      await soon(() => exitOf(this.process) && !livesOn());
    }
    // While no server runs, orphans are of what has just ended, such as a build that starts a database.
    if (isAll || ![...running].some(({ isServer }) => isServer)) adopt(this.pid);
    // What left its session comes last: an agent may still take what the server sent as its last.
    for (const name of isAll ? (['SIGTERM', 'SIGKILL'] as const) : []) {
      for (const { pid } of livingOf(this.pid)) orUndefined(() => process.kill(pid, name));
      await soon(() => livingOf(this.pid).length === 0);
    }
    // A daemon that a build leaves is still known as its own: it is of no server that is started later.
    const left = livingOf(this.pid);
    if (left.length === 0) unfollow(this.pid);
    else if (this.isServer)
      printToStderr(
        `Warning: a server lives on: end ${left.map(({ pid }) => pid).join(', ')} as its user.`,
      );
    running.delete(this);
    watchGroups(running);
    removePath(this.folder);
  }
}

/** Waits until it is so, for as long as a process may take to end. */
async function soon(isSo: () => unknown): Promise<void> {
  const deadline = performance.now() + TERMINATE_WITHIN_MS;
  while (!isSo() && performance.now() < deadline) await Bun.sleep(POLL_MS);
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
