// A folder for one test, in which tracetax runs as a user would run it, and tests that have one
// each.
import { test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { analyse, type Run } from '../../harness/analysis/analysis.ts';
import type { Warning } from '../../harness/analysis/warnings/list.ts';
import type { Fault } from '../../harness/result/faults.ts';
import { readResult } from '../../harness/result/file.ts';
import type { Result } from '../../harness/result/schema.ts';
import { type WriteFile, writerOf } from '../../harness/testing/folder.ts';
import { server } from '../../harness/testing/sources.ts';
import { orUndefined } from '../../harness/words/errors.ts';
import { collectOutput, type PipedProcess, type ProcessOutput, waitUntil } from './processes.ts';
import { ROOT } from './short-runs.ts';

const CLI = join(ROOT, 'harness/cli.ts');
/** A load tool that leaves the machine to the tests beside it. */
export const GENTLE_BOMBARDIER = join(ROOT, 'tests/support/gentle-bombardier.sh');

/** How long a test may take that measures: what hangs is to end, and no slow machine to fail. */
export const TEST_TIMEOUT_MS = 300_000;

/** Nothing that ends in order needs longer. */
const END_TIMEOUT_MS = 30_000;

/** What a run printed, and what it measured. */
export interface MeasuredRun extends ProcessOutput {
  /** The path of its result file. */
  out: string;
  result: Result;
  /** `COMPLETE` if all that was planned was measured. */
  outcome: { status: number | null; stoppedBy: string | null; faults: Fault[] };
  analysis: Run;
  warnings: Warning['kind'][];
}

type TestInWorkplace = (
  name: string,
  run: (place: Workplace) => Promise<void>,
  /** The beginning of the folder's name. */
  folder?: string,
) => void;

/** A test with a workplace of its own, which runs beside others. */
export const testConcurrently = inWorkplace(test.concurrent);

/**
 * One that shares its file's process with no other test at the time, because it needs some quiet.
 */
export const testAlone = inWorkplace(test);

function inWorkplace(register: typeof test | typeof test.concurrent): TestInWorkplace {
  return (name, run, folder) =>
    register(
      name,
      async () => {
        await using place = new Workplace(folder);
        await run(place);
      },
      TEST_TIMEOUT_MS,
    );
}

/**
 * A folder for one test. tracetax and all that it starts run in it, and put their temporary files
 * there. When the test is over, whatever still runs is stopped, and the folder is gone.
 */
export class Workplace implements AsyncDisposable {
  readonly folder: string;
  readonly temporary: string;
  readonly write: WriteFile;
  private readonly started: PipedProcess[] = [];

  constructor(name = 'tracetax-test-') {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), name)));
    this.write = writerOf(this.folder);
    this.temporary = this.path('tmp');
    mkdirSync(this.temporary);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const each of this.started) {
      each.kill('SIGTERM');
      await each.exited;
    }
    // What ignores signals, or was started by nobody who is still there.
    for (const pid of this.processes()) orUndefined(() => process.kill(pid, 'SIGKILL'));
    await rm(this.folder, { recursive: true, force: true });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /**
   * Writes a suite of one-file servers by name; each is the body of a fetch handler, and the first
   * is the baseline. Returns the path of its file.
   */
  suite(handlers: Record<string, string>, more: object = {}): string {
    const names = Object.keys(handlers);
    for (const name of names) this.write(`${name}.ts`, server(handlers[name] as string));
    const scenarios = names.map((name) => ({ name, command: ['bun', 'run', `${name}.ts`] }));
    const suite = {
      name: 'test',
      startWithinSeconds: 60,
      answer: { body: 'Hi' },
      baseline: names[0],
      scenarios,
      ...more,
    };
    return this.write('suite.json', suite);
  }

  /** Writes a suite of one server, which this command starts. Returns the path of its file. */
  suiteOfCommand(...command: string[]): string {
    return this.suite({}, { baseline: 'a', scenarios: [{ name: 'a', command }] });
  }

  /** Runs git there. Returns what it printed. @throws Error if it failed */
  git(...args: string[]): string {
    const argv = ['git', '-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args];
    const { success, stdout, stderr } = Bun.spawnSync(argv, { cwd: this.folder });
    if (!success) throw new Error(`${argv.join(' ')}: ${stderr}`);
    return stdout.toString().trim();
  }

  /**
   * Writes a program that says that it is bombardier, for `$BOMBARDIER`. In place of making load it
   * does what the script says. Returns its path.
   */
  bombardier(script: string, name = 'bombardier'): string {
    const version = 'if [ "$1" = --version ]; then echo \'bombardier version v0 test\'; exit; fi';
    return this.write(name, `#!/bin/sh\n${version}\n${script}\n`, 0o755);
  }

  /** Starts the command line, as scripts/bench.sh does once set-up is done. */
  start(args: string[], env: Record<string, string> = {}, cli = CLI): PipedProcess {
    const process_ = Bun.spawn(['bun', cli, ...args], {
      cwd: this.folder,
      env: {
        ...process.env,
        TMPDIR: this.temporary,
        BOMBARDIER: GENTLE_BOMBARDIER,
        ...env,
      },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    this.started.push(process_);
    return process_;
  }

  /** Runs the command line to its end. */
  run(args: string[], env: Record<string, string> = {}, cli = CLI): Promise<ProcessOutput> {
    return collectOutput(this.start(args, env, cli));
  }

  /**
   * Measures as the options say, which must be those of a short run. @throws Error if there is no
   * result
   */
  async measure(args: string[], env: Record<string, string> = {}): Promise<MeasuredRun> {
    const out = this.path('out.json');
    const run = await this.run(args, env);
    if (!existsSync(out)) throw new Error(`nothing was measured: ${run.stderr}`);
    const result = readResult(out);
    const faults = result.pairs.flatMap((pair) => pair.faults);
    const analysis = analyse(result);
    return {
      ...run,
      out,
      result,
      outcome: { status: run.status, stoppedBy: result.stoppedBy, faults },
      analysis,
      warnings: analysis.warnings.map(({ kind }) => kind),
    };
  }

  /** Process ids of what runs in this folder: servers, load tools and tracetax itself. */
  processes(): number[] {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const isHere = (pid: string) =>
      orUndefined(() => readlinkSync(`/proc/${pid}/cwd`))?.startsWith(this.folder);
    return pids.filter(isHere).map(Number);
  }

  /**
   * Resolves once nothing runs here any more: the watchdog ends after tracetax. @throws Error if
   * something goes on
   */
  async waitForEnd(): Promise<void> {
    await waitUntil(() => this.processes().length === 0, END_TIMEOUT_MS);
  }
}
