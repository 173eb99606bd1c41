/**
 * Does `compare --git` find what is there, and nothing else? In a copy of this repository, a commit
 * is compared many times with itself, and as often with one whose server is slower on purpose.
 *
 *     PATH=$PWD/.tools/bin:$PATH bun run benchmarks/power.ts FILE [--times 40] [--slower 2]
 *         [--fail-above 2%] [--scenario trace-disabled]
 *
 * Adds what lacks to FILE, by turns, and prints all that it holds. The number of pairs is that of
 * the rule: until the change is known, or with `--fail-above` until the gate is sure.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable } from 'markdown-table';
import { mean, median } from 'simple-statistics';
import { analyse } from '../harness/analysis/analysis.ts';
import { costsOf } from '../harness/analysis/compare.ts';
import { halfWidth, holdsZero, type Interval } from '../harness/analysis/interval.ts';
import { temporaryFolder } from '../harness/processes/watchdog.ts';
import { readResult } from '../harness/result/file.ts';
import { EXIT_STATUS } from '../harness/words/output.ts';

const ROOT = resolve(import.meta.dir, '..');
/** The handler of every server at the top level. */
const PLACE = "c.text('Hi')";

/** What is compared, and how. */
interface Setting {
  scenario: string;
  /** By how much the slower server is slower, in % of what a request takes. */
  slowerPercent: number;
  /** The limit of the gate, such as `2%`; null without a gate. */
  failAbove: string | null;
}

/** What files of before the rule do not say. */
const BEFORE_THE_RULE = { slowerPercent: 2, failAbove: '2%' };

/** One comparison; µs of CPU time a request. */
interface Compared {
  oldUs: number;
  changeUs: Interval;
  /** What was put in on purpose, as the server itself timed it. */
  trueUs: number;
  /** Whether the gate at the limit failed. */
  isStopped: boolean;
  /** Files of before the rule have neither. */
  pairs?: number;
  seconds?: number;
}

interface Kept extends Setting {
  /** The fixed number of pairs of a comparison; files since the rule have none. */
  pairs?: number;
  same: Compared[];
  slower: Compared[];
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '40' },
    slower: { type: 'string', default: '2' },
    'fail-above': { type: 'string' },
    scenario: { type: 'string', default: 'trace-disabled' },
  },
});
const [file = 'revisions.json'] = positionals;
const kept = keptIn(file, {
  scenario: options.scenario,
  slowerPercent: Number(options.slower),
  failAbove: options['fail-above'] ?? null,
});
if (kept.slower.length < Number(options.times)) measure(Number(options.times));
console.log(report(kept));

/** @throws Error if the file has comparisons of another kind */
function keptIn(path: string, setting: Setting): Kept {
  if (!existsSync(path)) return { ...setting, same: [], slower: [] };
  const found: Kept = { ...BEFORE_THE_RULE, ...JSON.parse(readFileSync(path, 'utf8')) };
  const differing = (Object.keys(setting) as (keyof Setting)[]).filter(
    (key) => found[key] !== setting[key],
  );
  if (differing.length > 0)
    throw new Error(`${path} was measured with another ${differing}: name another file`);
  return found;
}

function measure(times: number): void {
  const folder = temporaryFolder();
  const [same, slower] = ['same', 'slower'].map((name) => join(folder, name)) as [string, string];
  run(folder, 'git', 'clone', '--quiet', ROOT, same);
  const add = (to: Compared[], copy: string, revision: string) => {
    to.push(compare(copy, revision, kept.same.length + kept.slower.length));
    writeFileSync(file, `${JSON.stringify(kept, null, 1)}\n`);
  };
  if (kept.same.length === 0) add(kept.same, same, 'HEAD');
  run(folder, 'git', 'clone', '--quiet', ROOT, slower);
  slowDown(slower, (kept.slowerPercent / 100) * mean(kept.same.map(({ oldUs }) => oldUs)));
  while (kept.slower.length < times) {
    if (kept.same.length <= kept.slower.length) add(kept.same, same, 'HEAD');
    add(kept.slower, slower, 'HEAD~1');
  }
}

function compare(copy: string, revision: string, seed: number): Compared {
  const out = join(temporaryFolder(), 'result.json');
  const startMs = performance.now();
  const { exitCode, stdout } = Bun.spawnSync(argvOf(revision, seed, out), {
    cwd: copy,
    stderr: 'inherit',
  });
  const seconds = (performance.now() - startMs) / 1e3;
  console.log(stdout.toString());
  const result = readResult(out);
  const [compared] = costsOf(analyse(result));
  if (!compared?.cost) throw new Error(`not compared: ${compared?.missing}`);
  if (result.stoppedBy !== null) throw new Error(`the comparison ended early: ${result.stoppedBy}`);
  // A server without a burner tells no cost.
  const trueUs = mean(result.pairs.map(({ usage }) => usage.scenario.probe?.trueCostUs ?? 0));
  return {
    oldUs: compared.cost.oldUs,
    changeUs: compared.cost.changeUs,
    trueUs,
    isStopped: exitCode === EXIT_STATUS.failure,
    pairs: result.pairs.length,
    seconds,
  };
}

function argvOf(revision: string, seed: number, out: string): string[] {
  return [
    process.execPath,
    join(ROOT, 'harness/cli.ts'),
    'compare',
    '--git',
    revision,
    '--allow-same',
    '--suite',
    'suites/levels.ts',
    '--scenarios',
    kept.scenario,
    '--seed',
    String(seed),
    '--out',
    out,
    ...(kept.failAbove === null ? [] : ['--fail-above', kept.failAbove]),
  ];
}

/** Commits a server that burns so many µs in each request. */
function slowDown(copy: string, us: number): void {
  const path = join(copy, `${kept.scenario}.ts`);
  const source = readFileSync(path, 'utf8');
  if (!source.includes(PLACE)) throw new Error(`${path} has no "${PLACE}"`);
  const burner = `import { createBurner, tellTrueCost } from './suites/calibration/burn.ts';
const slower = createBurner(${us});
tellTrueCost([slower]);
`;
  writeFileSync(path, burner + source.replace(PLACE, `(slower.spend(), ${PLACE})`));
  const identity = ['-c', 'user.name=benchmark', '-c', 'user.email=benchmark@localhost'];
  run(copy, 'git', ...identity, 'commit', '--quiet', '--all', '--message', 'Slower on purpose');
}

function run(cwd: string, ...argv: string[]): string {
  const { exitCode, stdout } = Bun.spawnSync(argv, { cwd, stderr: 'inherit' });
  if (exitCode !== 0) throw new Error(`${argv.join(' ')} ended with ${exitCode}`);
  return stdout.toString();
}

function report({ scenario, pairs, failAbove, same, slower }: Kept): string {
  const truth = mean(slower.map(({ trueUs, oldUs }) => (trueUs / oldUs) * 100));
  const stopped = failAbove === null ? [] : [`Stopped at --fail-above ${failAbove}`];
  const headings = [
    'Comparison',
    'Change of CPU per request (medians)',
    'Called different',
    ...stopped,
    ...(pairs === undefined ? ['Pairs', 'Seconds'] : []),
  ];
  const lines = [
    lineOf('a commit with itself', same, failAbove),
    lineOf(`slower on purpose by ${percent(truth)}`, slower, failAbove),
  ];
  const fixed = pairs === undefined ? '' : `, ${pairs} pairs a comparison`;
  return `${markdownTable([headings, ...lines])}\n\n${scenario}${fixed}.`;
}

function lineOf(title: string, all: readonly Compared[], failAbove: string | null): string[] {
  const widths = all.map(({ changeUs, oldUs }) => (halfWidth(changeUs) / oldUs) * 100);
  const changes = all.map(({ changeUs, oldUs }) => (changeUs.value / oldUs) * 100);
  const different = all.filter(({ changeUs }) => !holdsZero(changeUs)).length;
  const stopped = all.filter(({ isStopped }) => isStopped).length;
  return [
    title,
    `${percent(median(changes))} ±${percent(median(widths))}`,
    `${different} of ${all.length}`,
    ...(failAbove === null ? [] : [`${stopped} of ${all.length}`]),
    ...costsOfTime(all),
  ];
}

/** Returns how many pairs and seconds a comparison took, if the file says so. */
function costsOfTime(all: readonly Compared[]): string[] {
  const pairs = all.flatMap((each) => each.pairs ?? []);
  const seconds = all.flatMap((each) => each.seconds ?? []);
  return pairs.length > 0 ? [mean(pairs).toFixed(1), median(seconds).toFixed(0)] : [];
}

function percent(value: number): string {
  return `${value.toFixed(2)} %`;
}
