import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { replaceBlocks } from '../harness/report/blocks.ts';
import { RENDERERS } from '../harness/report/formats.ts';
import { readResult } from '../harness/results/file.ts';
import { suiteSchema, telemetrySchema } from '../harness/suite/schema.ts';

const ROOT = resolve(import.meta.dir, '..');
/** Files of benchmarks/, which print them themselves. */
const OF_BENCHMARKS = /results\/(precision|probe|soak)/;
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

test.each(['README.md', 'docs/workloads.md', 'docs/body-size.md'])(
  'every table of results in %s is what its file gives',
  (document) => {
    const text = read(document);
    const named = new Set([...text.matchAll(/results\/[\w.-]+\.json/g)].map(([name]) => name));
    const results = [...named].filter((name) => !OF_BENCHMARKS.test(name));
    expect(results.length).toBeGreaterThan(0);
    for (const name of results) {
      const result = readResult(join(ROOT, name));
      expect(replaceBlocks(text, result.suite.name, RENDERERS.docs(result))).toBe(text);
    }
  },
);

test('published results were measured with bombardier where it can, to their end', () => {
  for (const name of readdirSync(join(ROOT, 'results')).filter(
    (each) => /^[a-z].*\.json$/.test(each) && !OF_BENCHMARKS.test(`results/${each}`),
  )) {
    const { tool, stoppedBy, suite } = readResult(join(ROOT, 'results', name));
    // Mixes are beyond bombardier.
    expect(tool.name).toBe(suite.name === 'workloads' ? 'wrk' : 'bombardier');
    expect(stoppedBy).toBeNull();
  }
});

test('README stays short', () => {
  expect(read('README.md').split('\n').length).toBeLessThan(250);
});
