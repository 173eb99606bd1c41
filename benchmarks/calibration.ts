/**
 * How true are figures on this machine, over several hours? Known costs at full load, at a steady
 * rate, and beside 100 µs.
 *
 *     PATH=$PWD/.tools/bin:$PATH bun run benchmarks/calibration.ts FOLDER [TIMES] [OPTIONS OF CALIBRATE]
 *
 * Adds so many calibrations to FOLDER, one if nothing is said, and prints what all in it have in
 * common.
 */
import { mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { markdownTable } from 'markdown-table';
import { mean } from 'simple-statistics';
import { analyse } from '../harness/analysis/analysis.ts';
import { holdsZero, isBounded } from '../harness/analysis/interval.ts';
import { readResult } from '../harness/result/file.ts';
import { stoppedByOf } from '../harness/result/stopped-by.ts';

const [folder = 'calibrations', ...others] = process.argv.slice(2);
const times = /^\d+$/.test(others[0] ?? '') ? others.shift() : '1';
const CLI = resolve(import.meta.dir, '../harness/cli.ts');

mkdirSync(folder, { recursive: true });
for (let count = 0; count < Number(times); count++) {
  const out = join(folder, `${new Date().toISOString().replaceAll(':', '')}.json`);
  const argv = [process.execPath, CLI, 'calibrate', ...others, '--out', out];
  const { success } = Bun.spawnSync(argv, { stdout: 'inherit', stderr: 'inherit' });
  if (!success) throw new Error('the calibration failed');
}

const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const results = files.sort().map((name) => readResult(join(folder, name)));
const runs = results.filter((result) => stoppedByOf(result) === null).map(analyse);
const us = (value: number) => value.toFixed(2);
const range = (values: number[]) => `${us(Math.min(...values))} to ${us(Math.max(...values))}`;
const rows = runs.flatMap(({ tasks }) =>
  tasks.flatMap((task) => task.rows.map((row) => ({ ...row, task }))),
);
const byRow = [...Map.groupBy(rows, ({ task, title }) => `${task.title}: ${title}`)];
console.log(
  markdownTable([
    ['Known cost, µs of CPU', 'True', 'Error, over all runs', 'Intervals that hold the truth'],
    ...byRow.flatMap(([title, own]) => {
      const errors = own.flatMap(({ costError }) => costError ?? []).filter(isBounded);
      if (errors.length === 0) return [];
      const held = errors.filter(holdsZero).length;
      const truth = us(mean(own.flatMap(({ trueCostsUs }) => trueCostsUs ?? [])));
      return [
        [title, truth, range(errors.map(({ value }) => value)), `${held} of ${errors.length}`],
      ];
    }),
  ]),
);
const baselines = runs.flatMap(({ tasks }) => tasks[0]?.baseline.figures?.cpuUs ?? []);
console.log(
  `\n${runs.length} runs. The baseline of the first task took ${range(baselines)} µs a request.`,
);
