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
import { mean } from 'simple-statistics';
import { analyse } from '../harness/analysis/analysis.ts';
import { costsOf } from '../harness/analysis/compare.ts';
import { temporaryFolder } from '../harness/processes/watchdog.ts';
import { readResult } from '../harness/result/file.ts';
import { EXIT_STATUS } from '../harness/words/output.ts';
import {
  type Compared,
  type Comparisons,
  comparisonsIn,
  powerReport,
  type Setting,
} from './power/report.ts';

const ROOT = resolve(import.meta.dir, '..');
/** The handler of every server at the top level. */
const PLACE = "c.text('Hi')";

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
console.log(powerReport(kept));

/** @throws Error if the file has comparisons of another kind */
function keptIn(path: string, setting: Setting): Comparisons {
  if (!existsSync(path)) return { ...setting, same: [], slower: [] };
  const found = comparisonsIn(readFileSync(path, 'utf8'));
  if (!found) throw new Error(`${path} has no comparisons: name another file`);
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
