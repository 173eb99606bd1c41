/**
 * Known costs in two packages, and where `explain` finds them:
 *
 *     scripts/bench.sh explain both --suite suites/calibration/packages/suite.ts --out FILE
 *     PATH=$PWD/.tools/bin:$PATH bun run benchmarks/explain.ts FILE
 *
 * The true cost is what the servers measured of both packages together under load, a third of it in
 * package-a.
 */
import { markdownTable } from 'markdown-table';
import { mean } from 'simple-statistics';
import { analyse } from '../harness/analysis/analysis.ts';
import { explain } from '../harness/explain/explanation.ts';
import { profilesFolder, readProfiles } from '../harness/explain/profiles.ts';
import { intervalText, US } from '../harness/report/cells.ts';
import { readResult } from '../harness/result/file.ts';

const [file = ''] = process.argv.slice(2);
const SHARES = { 'package-a': 1 / 3, 'package-b': 2 / 3 };

const [task] = analyse(readResult(file)).tasks;
const row = task?.rows.find(({ scenario }) => scenario === 'both');
if (!task || !row?.trueCostsUs)
  throw new Error(`${file} is not of the suite in suites/calibration/packages`);
const { parts } = explain(
  row,
  task.baseline.title,
  readProfiles(profilesFolder(file), task.name, 'both'),
);
const trueUs = mean(row.trueCostsUs);
const rows = Object.entries(SHARES).map(([name, share]) => {
  const change = parts.find(({ where }) => where === name)?.change;
  const error = ((change?.value ?? 0) / (trueUs * share) - 1) * 100;
  return [
    name,
    `${(trueUs * share).toFixed(2)} µs`,
    change ? intervalText(US, change) : '-',
    `${error.toFixed(1)} %`,
  ];
});
console.log(markdownTable([['Package', 'True cost', 'Explained', 'Error'], ...rows]));
