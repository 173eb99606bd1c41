/**
 * Does `compare --git` find what is there, and nothing else? In a copy of this repository, a commit is compared with itself
 * many times, and then with one whose server is slower on purpose: by 2 % of what a request takes.
 *
 *     PATH=$PWD/.tools/bin:$PATH bun run benchmarks/revisions.ts FILE [TIMES] [PAIRS] [SCENARIO]
 *
 * What was measured is kept in FILE. If FILE is there already, it is printed again and nothing is measured. A comparison of 10
 * pairs takes 2 minutes, so 20 of them take 45.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { markdownTable } from 'markdown-table';
import { mean, median } from 'simple-statistics';
import { analyse } from '../harness/analysis/analysis.ts';
import { comparePairs } from '../harness/analysis/compare.ts';
import { halfWidth, holdsZero, type Interval } from '../harness/analysis/estimate.ts';
import { readResult } from '../harness/result/file.ts';

const [file = 'revisions.json', times = '20', pairs = '10', scenario = 'trace-disabled'] = process.argv.slice(2);
const ROOT = resolve(import.meta.dir, '..');
const SLOWER = 0.02;
/** The handler of every server at the top level. */
const PLACE = "c.text('Hi')";

/** µs of CPU time a request. */
interface Compared {
  oldUs: number;
  changeUs: Interval;
  /** What was put in on purpose, as the server itself timed it. */
  trueUs: number;
}

if (!existsSync(file)) measure();
console.log(report(JSON.parse(readFileSync(file, 'utf8'))));

function measure(): void {
  const folder = mkdtempSync(join(tmpdir(), 'revisions-'));
  try {
    const copy = join(folder, 'copy');
    run(folder, 'git', 'clone', '--quiet', ROOT, copy);
    const same = Array.from({ length: Number(times) }, (_, index) => compare(copy, 'HEAD', index));
    slowDown(copy, SLOWER * mean(same.map(({ oldUs }) => oldUs)));
    const slower = compare(copy, 'HEAD~1', same.length);
    writeFileSync(file, `${JSON.stringify({ scenario, pairs: Number(pairs), same, slower }, null, 1)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compare(copy: string, revision: string, seed: number): Compared {
  const out = join(copy, `../${seed}.json`);
  const shape = ['--pairs', pairs, '--duration', `${pairs}s`, '--seed', String(seed), '--out', out];
  const what = ['--git', revision, '--suite', 'suites/levels.ts', '--scenarios', scenario];
  console.log(run(copy, 'bun', join(ROOT, 'harness/cli.ts'), 'compare', ...what, ...shape));
  const result = readResult(out);
  const [compared] = comparePairs(analyse(result));
  if (compared?.cost?.by !== 'cpuUs') throw new Error(`not compared: ${compared?.missing}`);
  const trueUs = mean(result.pairs.map(({ usage }) => usage.scenario.probe?.trueCostUs ?? 0));
  return { oldUs: compared.cost.oldUs, changeUs: compared.cost.changeUs, trueUs };
}

/** Commits a server that burns so many µs in each request. */
function slowDown(copy: string, us: number): void {
  const path = join(copy, `${scenario}.ts`);
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

function report(kept: { scenario: string; pairs: number; same: Compared[]; slower: Compared }): string {
  const { same, slower } = kept;
  const percent = (us: number, { oldUs }: Compared) => `${((us / oldUs) * 100).toFixed(2)} %`;
  const change = (each: Compared) =>
    `${percent(each.changeUs.value, each)} ±${percent(halfWidth(each.changeUs), each)}`;
  const alarms = same.filter(({ changeUs }) => !holdsZero(changeUs));
  const widths = same.map(({ changeUs, oldUs }) => (halfWidth(changeUs) / oldUs) * 100);
  const table = markdownTable([
    ['Comparison', 'Change of CPU per request', 'Found'],
    [`a commit with itself, ${same.length} times`, `±${median(widths).toFixed(2)} % (median)`, `${alarms.length}`],
    [
      `slower on purpose by ${percent(slower.trueUs, slower)}`,
      change(slower),
      holdsZero(slower.changeUs) ? 'no' : 'yes',
    ],
  ]);
  return `${table}\n\n${kept.scenario}, ${kept.pairs} pairs a comparison.${alarms.map((each) => `\nFalse alarm: ${change(each)}`).join('')}`;
}
