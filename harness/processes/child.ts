import { orProblem, orUndefined } from '../words/errors.ts';
import { removePath } from '../words/files.ts';
import { printToStderr } from '../words/output.ts';
import { ChildOutput } from './output.ts';
import { adopt, follow, livingOf, membersOf, unfollow } from './processes.ts';
import { temporaryFolder, watchGroups } from './watchdog.ts';

/*
 * This room starts processes, keeps account of all that they start in turn, and ends them, whatever
 * happens to tracetax. Commands go in; children with their exits, output and use of memory come
 * out. What a process is for does not belong here.
 */

/**
 * What runs scripts of tracetax's own: what the project's bunfig.toml preloads is for its servers.
 */
export const OWN_BUN = [process.execPath, '--config=/dev/null'];

/** How long a process may take to end after a signal, unless the child has another limit. */
const END_WITHIN_MS = 5_000;
const POLLING_INTERVAL_MS = 2;
/** A server in the background is gone once it was not seen so often in turn. */
const MAX_MISSES = 10;

export interface ChildOptions {
  /** The current folder if left out. */
  cwd?: string;
  /** The environment of this process if left out. */
  env?: Record<string, string | undefined>;
  /**
   * Where its output is kept; removed when it is stopped. Its processes know it by
   * `$TRACETAX_FOLDER`.
   */
  folder?: string;
  /** What left its session ends with it, and so do orphans that nothing ties to another child. */
  isServer?: boolean;
  /** The child is killed after this time. */
  timeoutMs?: number;
  /** How long a process may take to end after a signal, before the next signal is sent. */
  endWithinMs?: number;
  /** `pipe`: its stdin stays open for as long as it and the harness live. */
  stdin?: 'pipe' | undefined;
}

/** How a process has ended: by a status, or by a signal. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** In words: `status 1`, `signal SIGKILL`. */
  description: string;
}

/** What a process used. */
export interface ProcessUsage {
  /** User and system time are added up. */
  cpuNs: number;
  /** How often its threads fell asleep. */
  sleeps: number;
}

const running = new Set<Child>();
let isClosed = false;

/**
 * A server or load tool in a session of its own: all that it starts ends with it, and Ctrl-C
 * reaches the harness alone, which then decides.
 */
export class Child implements AsyncDisposable {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  readonly output: ChildOutput;
  readonly isServer: boolean;
  private readonly process: Bun.Subprocess;
  private readonly folder: string;
  private readonly endWithinMs: number;
  private stopping: Promise<void> | undefined;

  /** @throws Problem if there is no such program; Error once `endAllChildren` was called */
  constructor(argv: string[], options: ChildOptions = {}) {
    throwIfEnding();
    this.isServer = options.isServer ?? false;
    if (this.isServer) adoptOrphansOfServers();
    this.endWithinMs = options.endWithinMs ?? END_WITHIN_MS;
    this.folder = options.folder ?? temporaryFolder();
    this.output = new ChildOutput(this.folder);
    const startedMs = performance.now();
    const start = () => spawn(argv, options, this.folder, this.output);
    this.process = orProblem(start, `${argv[0]} can't be started`, 'See whether it is installed');
    this.pid = this.process.pid;
    follow(this.pid, `TRACETAX_FOLDER=${this.folder}`);
    running.add(this);
    watchGroups(running);
    this.exited = this.process.exited.then(() => this.exitAfter(startedMs, options.timeoutMs));
  }

  /**
   * Undefined while it runs: a server that puts itself into the background ends well, and lives on
   * in what it started.
   */
  get exit(): Exit | undefined {
    const exit = exitOf(this.process);
    const livesOn =
      exit?.code === 0 && membersOf(this.pid).some((member) => member.hasEnded === false);
    return livesOn ? undefined : exit;
  }

  /** How it has ended, and its last lines, in words; undefined while it runs. */
  get exitDescription(): string | undefined {
    const { exit } = this;
    return exit && `with ${exit.description}; ${this.output.lastLines()}`;
  }

  /**
   * Waits until it is ready.
   * @param goal what it is to have done, for the message: `listened on 127.0.0.1:3000`
   * @returns undefined once it is ready; else what it did instead, in words
   */
  async readinessFailure(
    goal: string,
    isReady: () => boolean | Promise<boolean>,
    timeoutMs: number,
  ): Promise<string | undefined> {
    const deadlineMs = performance.now() + timeoutMs;
    let misses = 0;
    while (!(await isReady())) {
      // What goes into the background may have left all that ties it to this child.
      if (exitOf(this.process)) adopt(this.pid);
      const { exit } = this;
      // While one of its processes makes way for the next, a look may miss both.
      misses = exit ? misses + 1 : 0;
      const isGone = exit && (exit.code !== 0 || misses >= MAX_MISSES);
      if (isGone) return this.failureText(`ended with ${exit.description}`, goal);
      if (performance.now() > deadlineMs)
        return this.failureText(`took more than ${timeoutMs / 1e3} s`, goal);
      await Bun.sleep(POLLING_INTERVAL_MS);
    }
    return undefined;
  }

  private failureText(what: string, goal: string): string {
    return `${what} before it ${goal}; ${this.output.lastLines()}`;
  }

  /** Returns what it used; zeros while it runs. */
  usage(): ProcessUsage {
    const usage = this.process.resourceUsage();
    return {
      cpuNs: Number(usage?.cpuTime.total ?? 0) * 1e3,
      sleeps: usage?.contextSwitches.voluntary ?? 0,
    };
  }

  /**
   * Ends the child and all that it started: by the signal, and by SIGKILL for what is left when the
   * time is up, after 5 s by default. It is safe to call again.
   */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.stopping ??= this.end(signal);
    return this.stopping;
  }

  readonly [Symbol.asyncDispose] = () => this.stop();

  private async end(signal: NodeJS.Signals): Promise<void> {
    // At the end of the run, nothing is to live on: a service may have put itself into the
    // background.
    const endsAll = this.isServer || isClosed;
    await this.endGroup(signal, endsAll);
    // While no server runs, orphans are of what has just ended, such as a build that starts a
    // database.
    const runsServer = [...running].some(({ isServer }) => isServer);
    if (endsAll || !runsServer) adopt(this.pid);
    // What left its session comes last: an agent may still take what the server sent as its last.
    if (endsAll) await this.endMembers();
    this.forget();
  }

  /**
   * Ends the process group. A shell, or the first of a cluster, may end before others have sent
   * their last. What has a group of its own does not hear this signal, so it is not waited for.
   */
  private async endGroup(signal: NodeJS.Signals, endsAll: boolean): Promise<void> {
    const livesOn = () => livingOf(this.pid).some(({ group }) => group === this.pid);
    for (const name of [signal, 'SIGKILL'] as const) {
      signalProcess(-this.pid, name);
      await waitUntil(
        () => exitOf(this.process) !== undefined && !(endsAll && livesOn()),
        this.endWithinMs,
      );
    }
  }

  /** Ends what left the process group. */
  private async endMembers(): Promise<void> {
    for (const name of ['SIGTERM', 'SIGKILL'] as const) {
      for (const { pid } of livingOf(this.pid)) signalProcess(pid, name);
      await waitUntil(() => livingOf(this.pid).length === 0, this.endWithinMs);
    }
  }

  /**
   * A daemon that a build leaves is still known as its own: it is of no server that is started
   * later.
   */
  private forget(): void {
    const left = livingOf(this.pid);
    if (left.length === 0) unfollow(this.pid);
    else if (this.isServer) {
      const pids = left.map(({ pid }) => pid).join(', ');
      printToStderr(`Warning: a server lives on: end ${pids} as its user.`);
    }
    running.delete(this);
    watchGroups(running);
    removePath(this.folder);
  }

  private exitAfter(startedMs: number, timeoutMs = Number.POSITIVE_INFINITY): Exit {
    const exit = exitOf(this.process) as Exit;
    const isTimeout = exit.signal !== null && performance.now() - startedMs >= timeoutMs;
    if (!isTimeout) return exit;
    return { ...exit, description: `${exit.description}, after ${timeoutMs / 1e3} s at most` };
  }
}

function spawn(
  argv: string[],
  { cwd, env = process.env, timeoutMs, stdin }: ChildOptions,
  folder: string,
  output: ChildOutput,
): Bun.Subprocess {
  return Bun.spawn(argv, {
    ...(cwd !== undefined && { cwd }),
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
    env: { ...env, TRACETAX_FOLDER: folder },
    killSignal: 'SIGKILL',
    detached: true,
    stdio: [stdin ?? 'ignore', Bun.file(output.stdoutFile), Bun.file(output.stderrFile)],
  });
}

/** Undefined while it runs. */
function exitOf({ exitCode: code, signalCode: signal }: Bun.Subprocess): Exit | undefined {
  if (code === null && signal === null) return undefined;
  return {
    code,
    signal: signal as NodeJS.Signals | null,
    description: signal ? `signal ${signal}` : `status ${code}`,
  };
}

/** Before a server starts, orphans that are there already are of a server before it. */
function adoptOrphansOfServers(): void {
  for (const child of running) if (child.isServer) adopt(child.pid);
}

/**
 * Sends the signal, and wakes what is stopped, which else would not hear it. It may have ended
 * already.
 */
function signalProcess(pid: number, signal: NodeJS.Signals): void {
  orUndefined(() => process.kill(pid, signal));
  orUndefined(() => process.kill(pid, 'SIGCONT'));
}

/** Waits until the condition holds, or the time is up. */
async function waitUntil(condition: () => boolean, timeoutMs: number): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!condition() && performance.now() < deadlineMs) await Bun.sleep(POLLING_INTERVAL_MS);
}

/** @throws Error once `endAllChildren` was called: what was measured since is not to be kept */
export function throwIfEnding(): void {
  if (isClosed) throw new Error('the run is ending: nothing more is started');
}

/**
 * Stops every child that runs and lets no other start: whoever waits for one, or wants one, fails.
 */
export async function endAllChildren(): Promise<void> {
  isClosed = true;
  await Promise.all([...running].map((child) => child.stop()));
}
