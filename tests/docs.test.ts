import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { replaceBlocks } from '../harness/report/blocks.ts';
import { CALIBRATION, calibrationReport } from '../harness/report/calibration.ts';
import { docsReport } from '../harness/report/tables.ts';
import { readResult } from '../harness/results/file.ts';
import { suiteSchema, telemetrySchema } from '../harness/suite/schema.ts';

const ROOT = resolve(import.meta.dir, '..');
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');

test('the suites that README and docs show are valid', () => {
  const examples = ['README.md', 'docs/suites.md'].flatMap((name) => [
    ...read(name).matchAll(/```json\n(.*?)```/gs),
  ]);
  expect(examples.length).toBe(3);
  for (const [, example] of examples) {
    const parsed = JSON.parse(example as string);
    const schema = 'scenarios' in parsed ? suiteSchema : telemetrySchema;
    expect(schema.safeParse(parsed).success).toBe(true);
  }
});

test('every table of results in README is what its file gives', () => {
  const readme = read('README.md');
  const named = new Set([...readme.matchAll(/results\/[\w.-]+\.json/g)].map(([name]) => name));
  for (const name of [...named].filter((each) => !/results.(precision|probe|soak)/.test(each))) {
    const result = readResult(join(ROOT, name));
    const report = result.suite.name === CALIBRATION ? calibrationReport(result) : docsReport(result);
    expect(replaceBlocks(readme, result.suite.name, report)).toBe(readme);
  }
  expect(named.size).toBeGreaterThanOrEqual(2);
});

test('published results were measured with bombardier, to their end', () => {
  for (const name of readdirSync(join(ROOT, 'results')).filter(
    (each) => /^[a-z].*\.json$/.test(each) && !/^(precision|probe|soak)/.test(each),
  )) {
    expect(readResult(join(ROOT, 'results', name))).toMatchObject({
      tool: { name: 'bombardier' },
      stoppedBy: null,
    });
  }
});

test('README stays short', () => {
  expect(read('README.md').split('\n').length).toBeLessThan(250);
});
