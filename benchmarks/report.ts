/**
 * How long `report --format full` takes of a made-up result of 200 pairs in 12 rows, once its file
 * is read:
 *
 *     PATH=$PWD/.tools/bin:$PATH bun run benchmarks/report.ts
 *
 * Prints the first run, which compiles, and the median of ten more, in ms. Both include the check
 * against the schema.
 */
import { median } from 'simple-statistics';
import { analyse } from '../harness/analysis/analysis.ts';
import { FORMATS } from '../harness/report/formats/list.ts';
import { resultSchema } from '../harness/result/schema.ts';
import { fakePairs, fakeResult } from '../harness/testing/fakes.ts';
import { screenOf } from '../harness/words/screen.ts';

const ROWS = 12;
const PAIRS = 200;

const pairs = Array.from({ length: PAIRS }, (_, index) => {
  const row = index % ROWS;
  return fakePairs(row === 0 ? 'base' : `row-${row}`, [10 + row + Math.sin(index) / 10]);
}).flat();
const result = fakeResult(pairs);
result.suite.scenarios = result.suite.scenarios.filter(({ name }) => name !== 'other');
for (const task of result.suite.tasks)
  task.scenarios = task.scenarios.filter((name) => name !== 'other');
const text = JSON.stringify(result);

function printMs(): number {
  const startedMs = performance.now();
  FORMATS.full(analyse(resultSchema.parse(JSON.parse(text))), screenOf(false), '');
  return performance.now() - startedMs;
}

const first = printMs();
const others = Array.from({ length: 10 }, printMs);
console.log(
  `${PAIRS} pairs in ${ROWS} rows: ${first.toFixed(0)} ms at first, then ${median(others).toFixed(0)} ms`,
);
