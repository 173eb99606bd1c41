import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyse } from '../harness/analysis/analysis.ts';
import { RENDERERS } from '../harness/report/formats.ts';
import { readResult } from '../harness/result/file.ts';
import { partOf } from '../harness/result/part.ts';
import { suiteSchema } from '../harness/suite/suite-schema.ts';
import { telemetrySchema } from '../harness/suite/telemetry.ts';
import { ROOT } from './bench.ts';

const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const namesIn = (folder: string, end: string) =>
  existsSync(join(ROOT, folder))
    ? readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith(end) ? [`${folder}/${name}`] : []))
    : [];

const documents = ['README.md', ...namesIn('docs', '.md')];
/** Runs that nobody published have their time for a name. */
const published = namesIn('results', '.json').filter((name) => !/\/20\d\d-/.test(name));

test('the suites that README and docs show are valid', () => {
  const examples = documents.flatMap((name) => [...read(name).matchAll(/```json\n(.*?)```/gs)]);
  const parsed = examples.map(([, example]) => JSON.parse(example as string));
  const suites = parsed.filter((example) => 'scenarios' in example);
  expect(suites.length).toBeGreaterThan(0);
  for (const suite of suites) expect(suiteSchema.safeParse(suite).error).toBeUndefined();
  for (const telemetry of parsed.filter((example) => 'span' in example || 'metrics' in example))
    expect(telemetrySchema.safeParse(telemetry).error).toBeUndefined();
});

test('every result that is kept is named by a document, and was measured to its end', () => {
  const all = documents.map(read).join('\n');
  for (const name of published) {
    expect(all).toContain(name);
    if (JSON.parse(read(name)).kind !== 'tracetax') continue;
    expect(readResult(join(ROOT, name))).toMatchObject({ stoppedBy: null, endedAt: expect.any(String) });
  }
});

describe('every table of results is what a file gives that its document names', () => {
  // An empty block waits for the first run.
  const blocks = documents.flatMap((document) => {
    const found = read(document).matchAll(/<!-- bench:([\w.-]+) -->\n(.*?)<!-- \/bench -->/gs);
    return [...found].map(([, suite = '', content = '']) => ({ document, suite, content: content.trim() }));
  });

  test('there are some, each closed', () => {
    const opened = documents.flatMap((document) => read(document).match(/^<!-- bench:/gm) ?? []);
    expect(blocks.length).toBe(opened.length);
    expect(blocks.map(({ document }) => document)).toContain('README.md');
  });

  test.each(blocks.filter(({ content }) => content !== ''))('$document: $suite', ({ document, suite, content }) => {
    const named = [...read(document).matchAll(/(results\/[\w.-]+\.json)(?: --tasks ([\w,-]+))?/g)];
    const runs = named
      .filter(([, file]) => published.includes(file as string))
      .map(([, file, tasks]) => analyse(partOf(readResult(join(ROOT, file as string)), tasks?.split(','))))
      .filter(({ header }) => header.suite.name === suite);
    const reports = runs.flatMap((run) => [RENDERERS.docs(run), RENDERERS.full(run)]);
    expect(reports).toContain(content);
  });
});
