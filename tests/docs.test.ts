import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyse } from '../harness/analysis/analysis.ts';
import { partOf } from '../harness/commands.ts';
import { RENDERERS } from '../harness/report/formats.ts';
import { readResult } from '../harness/result/file.ts';
import { suiteSchema, telemetrySchema } from '../harness/suite/suite-schema.ts';
import { LIMIT_MS, ROOT } from './bench.ts';

const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const namesIn = (folder: string, end: string) =>
  readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith(end) ? [`${folder}/${name}`] : []));

const documents = ['README.md', ...namesIn('docs', '.md')];
/** The others in results/ are of benchmarks/, and runs that nobody published. */
const published = namesIn('results', '.json').filter(
  (name) => !/\/20\d\d-/.test(name) && JSON.parse(read(name)).kind === 'tracetax',
);

test('the suites that README and docs show are valid', () => {
  const examples = documents.flatMap((name) => [...read(name).matchAll(/```json\n(.*?)```/gs)]);
  const parsed = examples.map(([, example]) => JSON.parse(example as string));
  const suites = parsed.filter((example) => 'scenarios' in example);
  expect(suites.length).toBeGreaterThan(0);
  for (const suite of suites) expect(suiteSchema.safeParse(suite).error).toBeUndefined();
  for (const telemetry of parsed.filter((example) => 'span' in example || 'metrics' in example))
    expect(telemetrySchema.safeParse(telemetry).error).toBeUndefined();
});

describe('every table of results is what a file gives that its document names', () => {
  const blocks = documents.flatMap((document) => {
    const found = read(document).matchAll(/<!-- bench:([\w.-]+) -->\n(.*?)<!-- \/bench -->/gs);
    // An empty one waits for the first run.
    return [...found]
      .filter(([, , content]) => content?.trim() !== '')
      .map(([, suite, content]) => [document, suite as string, content as string] as const);
  });

  test('there are some', () => {
    expect(blocks.length).toBeGreaterThan(0);
  });

  test.each(blocks)('%s: %s', (document, suite, content) => {
    const named = [...read(document).matchAll(/(results\/[\w.-]+\.json)(?: --endpoints ([\w,-]+))?/g)];
    const analyses = named
      .filter(([, file]) => published.includes(file as string))
      .map(([, file, endpoints]) => analyse(partOf(readResult(join(ROOT, file as string)), endpoints?.split(','))))
      .filter((each) => each.suite.name === suite);
    const reports = analyses.flatMap((each) => [RENDERERS.docs(each), RENDERERS.full(each)]);
    expect(reports).toContain(content.trim());
  });
});

test.each([
  ['README.md', 'results/precision-epyc-2core.json'],
  ['docs/method-trials.md', 'results/precision-pairs-epyc-2core.json'],
  ['docs/method-trials.md', 'results/precision-60s-xeon-2core.json'],
])('%s has the precision that %s gives', (document, file) => {
  const { stdout } = Bun.spawnSync([process.execPath, 'run', 'benchmarks/precision.ts', file], { cwd: ROOT });
  expect(read(document)).toContain(`<!-- precision -->\n\n${stdout}\n<!-- /precision -->`);
});

test(
  'docs/method-trials.md has the coverage that its results give',
  () => {
    const [, files = ''] = read('docs/method-trials.md').match(/benchmarks\/coverage\.ts ([\w./ -]+)/) ?? [];
    const argv = [process.execPath, 'run', 'benchmarks/coverage.ts', ...files.split(' ')];
    const { stdout } = Bun.spawnSync(argv, { cwd: ROOT });
    expect(read('docs/method-trials.md')).toContain(`<!-- coverage -->\n\n${stdout}\n<!-- /coverage -->`);
  },
  LIMIT_MS,
);

test.each(published)('%s was measured with its load tool, to its end', (name) => {
  const { tool, stoppedBy, endedAt } = readResult(join(ROOT, name));
  // Some files compare load tools, and only wrk sends mixes.
  const expected = name.match(/-(wrk|oha|h2load)\b/)?.[1] ?? 'bombardier';
  expect(tool.name).toBe(expected);
  expect(stoppedBy).toBeNull();
  expect(endedAt).not.toBeNull();
});

test('README and the method stay short', () => {
  expect(read('README.md').split('\n').length).toBeLessThan(200);
  expect(read('docs/method.md').split(/\s+/).length).toBeLessThan(1_500);
});
