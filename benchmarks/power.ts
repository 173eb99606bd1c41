/**
 * Does `compare --git` find what is there, and nothing else? In a copy of this repository, a commit
 * is compared many times with itself, and as often with one whose server is slower on purpose: by 2
 * % of what a request takes.
 *
 *     PATH=$PWD/.tools/bin:$PATH bun run benchmarks/power.ts FILE [TIMES] [PAIRS] [SCENARIO]
 *
 * Adds what lacks to FILE, by turns, and prints all that it holds. 40 times with 10 pairs, which
 * are the defaults, take three hours; with fewer pairs the intervals are wider.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { markdownTable } from 'markdown-table';
import { mean, median } from 'simple-statistics';
import { analyse } from '../harness/analysis/analysis.ts';
import { costsOf } from '../harness/analysis/compare.ts';
import { halfWidth, holdsZero, type Interval } from '../harness/analysis/interval.ts';
import { temporaryFolder } from '../harness/processes/watchdog.ts';
import { readResult } from '../harness/result/file.ts';

const [file = 'revisions.json', times = '40', ...shape] = process.argv.slice(2);
const [pairs = '10', scenario = 'trace-disabled'] = shape;
const ROOT = resolve(import.meta.dir, '..');
const SLOWER = 0.02;
const LIMIT = '2%';
/** The handler of every server at the top level. */
const PLACE = "c.text('Hi')";

/** µs of CPU time a request. */
interface Compared {
  oldUs: number;
  changeUs: Interval;
  /** What was put in on purpose, as the server itself timed it. */
  trueUs: number;
  /** Whether the gate at the limit failed. */
  isStopped: boolean;
}

interface Kept {
  scenario: string;
  pairs: number;
  same: Compared[];
  slower: Compared[];
}

const kept: Kept = existsSync(file)
  ? JSON.parse(readFileSync(file, 'utf8'))
  : { scenario, pairs: Number(pairs), same: [], slower: [] };
if (shape.length > 0 && (kept.pairs !== Number(pairs) || kept.scenario !== scenario))
  throw new Error(
    `${file} has ${kept.pairs} pairs of ${kept.scenario}: name these, or another file`,
  );
if (kept.slower.length < Number(times)) measure();
console.log(report(kept));

function measure(): void {
  const folder = temporaryFolder();
  const [same, slower] = ['same', 'slower'].map((name) => join(folder, name)) as [string, string];
  run(folder, 'git', 'clone', '--quiet', ROOT, same);
  const add = (to: Compared[], copy: string, revision: string) => {
    to.push(compare(copy, revision, kept.same.length + kept.slower.length));
    writeFileSync(file, `${JSON.stringify(kept, null, 1)}\n`);
  };
  if (kept.same.length === 0) add(kept.same, same, 'HEAD');
  run(folder, 'git', 'clone', '--quiet', ROOT, slower);
  slowDown(slower, SLOWER * mean(kept.same.map(({ oldUs }) => oldUs)));
  while (kept.slower.length < Number(times)) {
    if (kept.same.length <= kept.slower.length) add(kept.same, same, 'HEAD');
    add(kept.slower, slower, 'HEAD~1');
  }
}

function compare(copy: string, revision: string, seed: number): Compared {
  const out = join(temporaryFolder(), 'result.json');
  const shape = [
    '--pairs',
    String(kept.pairs),
    '--duration',
    `${kept.pairs}s`,
    '--seed',
    String(seed),
    '--out',
    out,
  ];
  const what = [
    '--git',
    revision,
    '--suite',
    'suites/levels.ts',
    '--scenarios',
    kept.scenario,
    '--fail-above',
    LIMIT,
  ];
  const argv = [process.execPath, join(ROOT, 'harness/cli.ts'), 'compare', ...what, ...shape];
  const { exitCode, stdout } = Bun.spawnSync(argv, { cwd: copy, stderr: 'inherit' });
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
    isStopped: exitCode === 1,
  };
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

function report({ scenario, pairs, same, slower }: Kept): string {
  const percent = (us: number) => `${us.toFixed(2)} %`;
  const row = (title: string, all: Compared[]) => {
    const widths = all.map(({ changeUs, oldUs }) => (halfWidth(changeUs) / oldUs) * 100);
    const changes = all.map(({ changeUs, oldUs }) => (changeUs.value / oldUs) * 100);
    const called = all.filter(({ changeUs }) => !holdsZero(changeUs)).length;
    const stopped = all.filter(({ isStopped }) => isStopped).length;
    const median95 = `${percent(median(changes))} ±${percent(median(widths))}`;
    return [title, median95, `${called} of ${all.length}`, `${stopped} of ${all.length}`];
  };
  const truth = mean(slower.map(({ trueUs, oldUs }) => (trueUs / oldUs) * 100));
  const table = markdownTable([
    [
      'Comparison',
      'Change of CPU per request (medians)',
      'Called different',
      `Stopped at --fail-above ${LIMIT}`,
    ],
    row('a commit with itself', same),
    row(`slower on purpose by ${percent(truth)}`, slower),
  ]);
  return `${table}\n\n${scenario}, ${pairs} pairs a comparison.`;
}
