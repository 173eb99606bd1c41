/**
 * What is left of tracetax when it, or what it started, is killed, and what it says to files that are not as they should be:
 * 100 random kills of a short run, 30 of its servers, load tools and sinks, 200 mutated results given to `report`, and 200
 * mutated suites given to `--dry-run`. It fails if a process or a temporary folder is left, if a result can't be read, or
 * if a stack trace is printed.
 *
 *     PATH=$PWD/.tools/bin:$PATH bun run benchmarks/attack.ts [--count 100] [--seed 1]
 *
 * `--count`: kills; of the others in proportion. With 100 it takes 20 minutes.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readResult } from '../harness/result/file.ts';

const ROOT = resolve(import.meta.dir, '..');
const { values } = parseArgs({ options: { count: { type: 'string' }, seed: { type: 'string', default: '1' } } });
const count = Number(values.count ?? 100);

/** A stack trace of Bun, Node, or a server. */
const TRACE = /^\s+at .+[:(]\d+|^\w*Error: |panic\(/m;
const GONE_WITHIN_MS = 15_000;
const SIGNALS = ['SIGKILL', 'SIGTERM', 'SIGINT'] as const;

const SERVER = `
const send = () => fetch('http://' + process.env.TO + '/v1/traces', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
export default { fetch: () => { if (process.env.TO) send().catch(() => {}); return new Response('Hi'); } };
`;
const SUITE = {
  name: 'attack',
  title: 'Attack',
  request: { method: 'GET', path: '/a?b=c', headers: { accept: 'text/plain' } },
  answer: { status: 200, body: 'Hi', headers: {} },
  baseline: 'plain',
  remarks: ['A remark.'],
  full: { pairs: 1, durationSeconds: 1, duetSlices: 1, warmupSeconds: 0, connections: 4 },
  scenarios: [
    { name: 'plain', command: ['bun', 'run', 'server.ts'] },
    {
      name: 'sends',
      title: 'Sends',
      command: ['bun', 'run', 'server.ts'],
      env: { TO: '{sink}' },
      telemetry: { ignore: ['x'] },
    },
  ],
};
const MEASURE = ['--suite', './suite.json'];

/** A generator of numbers from 0 to 1 (mulberry32), so that a run can be repeated. */
let state = Number(values.seed);
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
const one = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;

const folder = mkdtempSync(join(tmpdir(), 'attack-'));
const temporary = join(folder, 'tmp');
mkdirSync(temporary);
const failures: string[] = [];

function start(args: string[]) {
  const argv = ['bun', join(ROOT, 'harness/cli.ts'), ...args];
  const env = { ...process.env, TMPDIR: temporary };
  return Bun.spawn(argv, { cwd: folder, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
}

async function finished(run: ReturnType<typeof start>) {
  const [stdout, stderr] = await Promise.all([run.stdout.text(), run.stderr.text()]);
  return { status: await run.exited, stdout, stderr };
}

/** What runs in the folder, or has it in its environment: all that this script started. */
function left(): { pid: number; command: string }[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'latin1').includes(temporary)) return [];
      return { pid: Number(pid), command: readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ') };
    } catch {
      // It has just ended, or is another user's.
      return [];
    }
  });
}

/** Adds to the failures what a run left, or printed, that it must not. */
async function judge(what: string, { stdout, stderr }: Awaited<ReturnType<typeof finished>>): Promise<void> {
  const deadline = performance.now() + GONE_WITHIN_MS;
  while ((left().length > 0 || readdirSync(temporary).length > 0) && performance.now() < deadline) await Bun.sleep(20);
  for (const { pid, command } of left()) {
    failures.push(`${what}: process ${pid} is left: ${command}`);
    process.kill(pid, 'SIGKILL');
  }
  for (const name of readdirSync(temporary)) {
    failures.push(`${what}: ${name} is left among temporary files`);
    rmSync(join(temporary, name), { recursive: true, force: true });
  }
  said(what, stdout + stderr);
  const results = join(folder, 'results');
  for (const name of namesIn(results)) {
    if (name.endsWith('.json') && problemOf(join(results, name))) failures.push(`${what}: ${name} can't be read`);
    rmSync(join(results, name));
  }
}

function said(what: string, text: string): void {
  if (TRACE.test(text)) failures.push(`${what}: a stack trace: ${text.slice(0, 600)}`);
}

function namesIn(of: string): string[] {
  try {
    return readdirSync(of);
  } catch {
    return [];
  }
}

function problemOf(file: string): unknown {
  try {
    readResult(file);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Kills the whole run at some moment of it. */
async function killRun(lastsMs: number): Promise<string> {
  const run = start(MEASURE);
  const [signal, afterMs] = [one(SIGNALS), random() * lastsMs];
  const outcome = finished(run);
  await Bun.sleep(afterMs);
  run.kill(signal);
  await judge(`${signal} after ${Math.round(afterMs)} ms`, await outcome);
  return signal;
}

/** What a part is, by its command. */
const PARTS = { server: / server\.ts|run server/, 'load tool': /bombardier|oha|wrk/, sink: /sink-main/ };

/** Kills one part at some moment; the run must end by itself. */
async function killPart(lastsMs: number): Promise<string> {
  const kind = one(Object.keys(PARTS) as (keyof typeof PARTS)[]);
  const run = start(MEASURE);
  const outcome = finished(run);
  const afterMs = random() * lastsMs;
  await Bun.sleep(afterMs);
  let killed = 'none was there';
  while (run.exitCode === null) {
    const parts = left().filter(({ pid, command }) => pid !== run.pid && PARTS[kind].test(command));
    if (parts.length > 0) {
      try {
        process.kill(one(parts).pid, 'SIGKILL');
        killed = kind;
        break;
      } catch {
        // It ended before that.
      }
    }
    await Bun.sleep(5);
  }
  await judge(`SIGKILL of a ${kind} after ${Math.round(afterMs)} ms`, await outcome);
  return killed;
}

/** Values that a file may hold in place of what it should. */
const WRONG = [
  ...[null, true, -1, 0.5, 1e308, 2 ** 60, '', 'x', '../../x', '/dev/full', '\u001b[31m\u202e', '\ud800', '{sink}'],
  ...[[], {}, [null], [[]], { name: 'x' }, ['--help'], 'x'.repeat(100_000), '<script>alert(1)</script>', '__proto__'],
];

/** The same JSON with a value of it changed, left out or doubled; or its text cut or spoilt. */
function mutated(text: string): string {
  if (random() < 0.1) return text.slice(0, random() * text.length);
  if (random() < 0.1) {
    const at = Math.floor(random() * text.length);
    return text.slice(0, at) + String.fromCharCode(random() * 128) + text.slice(at + 1);
  }
  const root = JSON.parse(text);
  for (let changes = 1 + Math.floor(random() * 3); changes > 0; changes--) change(root);
  return JSON.stringify(root);
}

/** Changes something at the end of a random walk from the root. */
function change(root: Record<string, unknown>): void {
  let of = root;
  for (;;) {
    const keys = Object.keys(of);
    if (keys.length === 0) return;
    const key = one(keys);
    const value = of[key];
    if (value && typeof value === 'object' && random() < 0.75) {
      of = value as Record<string, unknown>;
      continue;
    }
    const kind = random();
    if (kind < 0.6) of[key] = one(WRONG);
    else if (kind < 0.8) delete of[key];
    else if (Array.isArray(of)) of.push(structuredClone(value));
    else of[`${key}2`] = value;
    return;
  }
}

/** Gives so many mutants of a file to a command. Returns how often each exit status came. */
async function mutants(number: number, text: string, name: string, args: (file: string) => string[]) {
  const statuses = new Map<number, number>();
  for (let at = 0; at < number; at++) {
    const file = join(folder, `${at}-${name}`);
    const content = mutated(text);
    writeFileSync(file, content);
    const { status, stdout, stderr } = await finished(start(args(file)));
    const isTraced = TRACE.test(stderr) || /^\s+at /m.test(stdout);
    if (isTraced || ![0, 1, 2].includes(status)) {
      failures.push(`${name} ${at}: status ${status}: ${stderr.slice(0, 600)}`);
      console.error(`kept: ${file}`);
    } else rmSync(file);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  return statuses;
}

async function repeated(number: number, work: () => Promise<string>) {
  const kinds = new Map<string, number>();
  for (let at = 0; at < number; at++) {
    const kind = await work();
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return kinds;
}

function tell(what: string, counts: Map<string | number, number>): void {
  const listed = [...counts].map(([kind, each]) => `${kind} ${each}`).sort();
  console.log(`${what}: ${listed.join(', ')}`);
}

writeFileSync(join(folder, 'server.ts'), SERVER);
writeFileSync(join(folder, 'suite.json'), JSON.stringify(SUITE));
const part = (of: number) => Math.ceil((of * count) / 100);
const startedMs = performance.now();
const whole = await finished(start([...MEASURE, '--out', 'whole.json']));
const lastsMs = performance.now() - startedMs;
const result = readFileSync(join(folder, 'whole.json'), 'utf8');
console.log(`A run takes ${(lastsMs / 1_000).toFixed(1)} s, and ends with status ${whole.status}.`);
tell(`${count} kills of a run`, await repeated(count, () => killRun(lastsMs)));
tell(`${part(30)} kills of a part`, await repeated(part(30), () => killPart(lastsMs)));
const FORMATS = ['docs', 'full', 'json', 'github-action-benchmark'];
const reported = (file: string) =>
  random() < 0.2 ? ['report', file, '--html', 'out.html'] : ['report', file, '--format', one(FORMATS)];
tell(`${part(200)} mutated results, by status`, await mutants(part(200), result, 'result.json', reported));
const dry = (file: string) => ['--suite', file, '--dry-run'];
tell(`${part(200)} mutated suites, by status`, await mutants(part(200), JSON.stringify(SUITE), 'suite.json', dry));
for (const { pid } of left()) failures.push(`process ${pid} is left`);
for (const failure of failures) console.error(`FAILED: ${failure}`);
console.log(
  failures.length === 0 ? 'Nothing is left, and no stack trace was printed.' : `${failures.length} failures.`,
);
if (failures.length === 0) rmSync(folder, { recursive: true });
process.exitCode = failures.length === 0 ? 0 : 1;
