/**
 * Known costs in two packages, and where `explain` finds them:
 *
 *     scripts/bench.sh explain both --suite suites/calibration/packages/suite.ts --out FILE
 *     PATH=$PWD/.tools/bin:$PATH bun run benchmarks/explain.ts FILE
 *
 * The true cost is what the servers measured of both packages together under load, a third of it in package-a.
 */
import { markdownTable } from 'markdown-table';
import { mean } from 'simple-statistics';
import { analyse } from '../harness/analysis/analysis.ts';
import { explain } from '../harness/explain/explanation.ts';
import { profilesFolder, readProfiles } from '../harness/explain/profiles.ts';
import { readResult } from '../harness/result/file.ts';
import { intervalCell } from '../harness/words/units.ts';

const [file = 'results/explain-packages-epyc-2core.json'] = process.argv.slice(2);
const SHARES = { 'package-a': 1 / 3, 'package-b': 2 / 3 };

const result = readResult(file);
const [task] = analyse(result).tasks;
const row = task?.rows.find(({ scenario }) => scenario === 'both');
if (!task || !row?.trueCostsUs) throw new Error(`${file} is not of the suite in suites/calibration/packages`);
const pairs = result.pairs.filter(({ scenario }) => scenario === 'both');
const { parts } = explain(row, task.baseline.title, pairs, readProfiles(profilesFolder(file), task.name, 'both'));
const trueUs = mean(row.trueCostsUs);
const rows = Object.entries(SHARES).map(([name, share]) => {
  const change = parts.find(({ where }) => where === name)?.change;
  const error = ((change?.value ?? 0) / (trueUs * share) - 1) * 100;
  return [
    name,
    `${(trueUs * share).toFixed(2)} µs`,
    change ? intervalCell('cpuUs', change) : '-',
    `${error.toFixed(1)} %`,
  ];
});
console.log(markdownTable([['Package', 'True cost', 'Explained', 'Error'], ...rows]));
