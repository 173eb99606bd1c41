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
import { join, resolve } from 'node:path';
import { analyse } from '../harness/analysis/analysis.ts';
import { readResult } from '../harness/result/file.ts';
import type { Result } from '../harness/result/schema.ts';
import { writerOf } from '../harness/testing/folder.ts';
import { server } from '../harness/testing/sources.ts';
import { ifThere } from '../harness/words/read.ts';

export { HI, ON_NODE, server } from '../harness/testing/sources.ts';

export const ROOT = resolve(import.meta.dir, '..');
const CLI = join(ROOT, 'harness/cli.ts');

/** A run as short as the load tools allow, whose result stays in the folder of the test. */
export const SHORT = [
  ...['--out', 'out.json'],
  ...[
    '--pairs',
    '1',
    '--duration',
    '1s',
    '--duet-slices',
    '1',
    '--warmup',
    '0s',
    '--connections',
    '4',
  ],
];
/** The same without duets. */
export const SHORTEST = [...SHORT, '--duet-slices', '0'];

/** What a test may take that measures. */
export const LIMIT_MS = 120_000;

/** The outcome of a run that measured all that was planned, without a fault. */
export const WHOLE = { status: 0, stoppedBy: null, faults: [] };

/** A test with a place of its own, beside others. */
export const caseOf = inPlace(test.concurrent);
/** One that needs some quiet. */
export const caseAlone = inPlace(test);

function inPlace(kind: typeof test | typeof test.concurrent) {
  return (name: string, run: (place: Workplace) => Promise<void>, folder?: string) => {
    const inOwn = async () => {
      await using place = new Workplace(folder);
      await run(place);
    };
    kind(name, inOwn, LIMIT_MS);
  };
}

/**
 * A folder for one test. tracetax and all that it starts run in it, and put their temporary files there. When the test is
 * over, whatever still runs is stopped, and the folder is gone.
 */
export class Workplace implements AsyncDisposable {
  readonly folder: string;
  readonly temporary: string;
  readonly write: ReturnType<typeof writerOf>;
  private readonly started: Bun.Subprocess[] = [];

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
    // What ignores signals, or is of nobody that was started here.
    for (const pid of this.processes()) ifThere(() => process.kill(pid, 'SIGKILL'));
    await rm(this.folder, { recursive: true, force: true });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** A suite of one-file servers by name; each is the body of a fetch handler, and the first is the baseline. */
  suite(handlers: Record<string, string>, more: object = {}): string {
    const names = Object.keys(handlers);
    for (const name of names) this.write(`${name}.ts`, server(handlers[name] as string));
    const scenarios = names.map((name) => ({ name, command: ['bun', 'run', `${name}.ts`] }));
    const suite = { name: 'test', answer: { body: 'Hi' }, baseline: names[0], scenarios, ...more };
    return this.write('suite.json', suite);
  }

  /** Runs git there. Returns what it printed. @throws Error if it failed */
  git(...args: string[]): string {
    const argv = ['git', '-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args];
    const { success, stdout, stderr } = Bun.spawnSync(argv, { cwd: this.folder });
    if (!success) throw new Error(`${argv.join(' ')}: ${stderr}`);
    return stdout.toString().trim();
  }

  /** A program that says that it is bombardier, for `$BOMBARDIER`. In place of making load it does what the script says. */
  bombardier(script: string, name = 'bombardier'): string {
    const version = 'if [ "$1" = --version ]; then echo \'bombardier version v0 test\'; exit; fi';
    return this.write(name, `#!/bin/sh\n${version}\n${script}\n`, 0o755);
  }

  /** Starts the command line, as scripts/bench.sh does once set-up is done. */
  start(
    args: string[],
    env: Record<string, string> = {},
    cli = CLI,
  ): Bun.Subprocess<'ignore', 'pipe', 'pipe'> {
    const process_ = Bun.spawn(['bun', cli, ...args], {
      cwd: this.folder,
      env: { ...process.env, TMPDIR: this.temporary, ...env },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    this.started.push(process_);
    return process_;
  }

  run(args: string[], env: Record<string, string> = {}, cli = CLI) {
    return finished(this.start(args, env, cli));
  }

  /** Measures as the options say, which must be those of a short run. */
  async measure(args: string[], env: Record<string, string> = {}) {
    const out = this.path('out.json');
    const run = await this.run(args, env);
    if (!existsSync(out)) throw new Error(`nothing was measured: ${run.stderr}`);
    const result = readResult(out);
    const faults = result.pairs.flatMap((pair) => pair.faults);
    const outcome = { status: run.status, stoppedBy: result.stoppedBy, faults };
    const analysis = analyse(result);
    return {
      ...run,
      out,
      result,
      outcome,
      analysis,
      warnings: analysis.warnings.map(({ kind }) => kind),
    };
  }

  /** Numbers of the processes that run in this folder: servers, load tools and tracetax itself. */
  processes(): number[] {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const isHere = (pid: string) =>
      ifThere(() => readlinkSync(`/proc/${pid}/cwd`))?.startsWith(this.folder);
    return pids.filter(isHere).map(Number);
  }

  /** Resolves once nothing runs here any more: the watchdog ends after tracetax. @throws Error if something goes on. */
  async end(): Promise<void> {
    await until(() => this.processes().length === 0, 5_000);
  }
}

export async function finished(process: Bun.Subprocess<'ignore', 'pipe', 'pipe'>) {
  const [stdout, stderr] = await Promise.all([process.stdout.text(), process.stderr.text()]);
  await process.exited;
  return { status: process.exitCode, stdout, stderr };
}

/** The first table of a report: its headings, and its cells by label. The marks of warnings are gone. */
export function tableIn(report: string): { headings: string[]; rows: Record<string, string[]> } {
  const lines = report.split('\n');
  const start = lines.findIndex((line) => line.startsWith('|'));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  const cells = (line: string) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.replace('†', '').trim());
  const [headings = [], , ...rows] = lines.slice(start, end).map(cells);
  return {
    headings,
    rows: Object.fromEntries(rows.map(([label = '', ...figures]) => [label, figures])),
  };
}

/** Every server under load in every slice. */
export function loadedIn(result: Result) {
  return result.pairs.flatMap(({ alternating, duets }) =>
    [...alternating, ...duets].flatMap(({ baseline, scenario }) => [baseline, scenario]),
  );
}

/** Makes a host `NET.2` beside this one, `NET.1`: a network namespace. Returns whether it may. @throws Error if it fails */
export function addHost(name: string, net: string): boolean {
  const call = (line: string) => Bun.spawnSync(line.split(' '), { stderr: 'ignore' }).success;
  if (!call(`ip netns add ${name}`)) return false;
  for (const line of [
    `ip link add ${name} type veth peer name far netns ${name}`,
    `ip addr add ${net}.1/24 dev ${name}`,
    `ip link set ${name} up`,
    `ip -n ${name} addr add ${net}.2/24 dev far`,
    `ip -n ${name} link set far up`,
  ])
    if (!call(line)) throw new Error(`failed: ${line}`);
  return true;
}

/** Waits until the condition holds. @throws Error if it does not within the time. */
export async function until(condition: () => boolean, withinMs = 60_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${condition}`);
    await Bun.sleep(10);
  }
}
