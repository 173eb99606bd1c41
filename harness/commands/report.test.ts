// What `report` makes of result files: documents, pages and pictures. Golden files in report/ show
// what is printed.
import { describe, expect, test } from 'bun:test';
import {
  chmodSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { Result } from '../result/schema.ts';
import { callProgram } from '../testing/call-program.ts';
import { makeHostile } from '../testing/fake-analysis.ts';
import { asRevisions } from '../testing/fakes.ts';
import { testFolder } from '../testing/folder.ts';
import { fakeResultAt } from '../testing/histories.ts';
import { writeFakeResult } from '../testing/result-files.ts';

const files = testFolder();
const old = writeFakeResult(files, 'old.json');

test('--update replaces the blocks of a document and nothing else, and is up to date after that', async () => {
  const [head, middle, tail] = ['\xef\xbb\xbf\xff\0', '\xe9\r\n', '\xfe\r'];
  const block = '<!-- bench:fake -->\r\nold\r\n<!-- /bench -->';
  const [document, link] = [files.path('doc.md'), files.path('link.md')];
  writeFileSync(document, head + block + middle + block + tail, 'latin1');
  chmodSync(document, 0o640);
  symlinkSync(document, link);

  const stale = await callProgram('report', old, '--update', document, '--check');
  expect(stale).toEqual({ status: 1, stderr: '', stdout: `${document}: fake is out of date\n` });
  expect(readFileSync(document, 'latin1')).toContain('old');
  const updated = await callProgram('report', old, '--update', link);
  expect(updated).toMatchObject({ status: 0, stdout: `${link}: fake updated\n` });
  const text = readFileSync(document, 'latin1');
  expect(text).toStartWith(`${head}<!-- bench`);
  expect(text).toContain(`/bench -->${middle}<!-- bench`);
  expect(text).toEndWith(`/bench -->${tail}`);
  expect(text).toContain('+2.00 ');
  expect(statSync(document).mode & 0o777).toBe(0o640);
  expect(statSync(link).ino).toBe(statSync(document).ino);
  const again = await callProgram('report', old, '--update', document, '--check');
  expect(again).toMatchObject({ status: 0, stdout: `${document}: fake is up to date\n` });

  const none = files.write('none.md', 'nothing');
  expect(await callProgram('report', old, '--update', none)).toMatchObject({
    status: 2,
    stdout: '',
  });
  expect(readFileSync(none, 'utf8')).toBe('nothing');
});

test('a run that ended before its first pair has no table of titles alone', async () => {
  const none = writeFakeResult(files, 'none.json', 12, (result) =>
    Object.assign(result, { pairs: [], stoppedBy: 'interrupted' }),
  );
  const { stdout, status } = await callProgram('report', none);
  expect(stdout).not.toContain('| Scenario');
  expect(stdout).toContain('Not all was measured');
  expect(status).toBe(0);
});

test('--html and --svg write the page and pictures, say where, and escape what a file holds', async () => {
  const [page, folder] = [files.path('out.html'), files.path('pictures/new')];
  const run = await callProgram(
    'report',
    writeFakeResult(files, 'hostile.json', 12, makeHostile),
    '--html',
    page,
    '--svg',
    folder,
  );
  expect(run).toMatchObject({ status: 0, stderr: '' });
  expect(readdirSync(folder).sort()).toEqual(['fake-dark.svg', 'fake-light.svg']);
  for (const file of [page, ...readdirSync(folder).map((name) => `${folder}/${name}`)]) {
    expect(run.stdout).toContain(`${file}: written`);
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/^(<!doctype html>|<svg .*<\/svg>\s*$)/is);
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toMatch(/(?![\r\n])\p{Cc}|\p{Bidi_Control}/u);
    // The page has one of its own.
    expect(text.match(/<script/g)?.length ?? 0).toBe(file === page ? 1 : 0);
  }
  // What is no page is not written over, and what is no folder not written into.
  for (const option of ['--html', '--svg']) {
    const refused = await callProgram('report', old, option, old);
    expect(refused).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^tracetax: [^\n]*\n$/),
    });
  }
  expect(JSON.parse(readFileSync(old, 'utf8')).kind).toBe('tracetax');
});

test('--between says whether one scenario is dearer than another, and refuses other names', async () => {
  const asked = await callProgram('report', old, '--between', 'other', 'base');
  expect(asked).toMatchObject({ status: 0, stderr: '' });
  expect(asked.stdout).toStartWith('Yes, Other takes 2.00 ');
  for (const [said, ...words] of [
    ['no scenario "nope". Name two of base, other', 'other', 'nope'],
    ['--between compares two scenarios', 'other', 'other'],
    ['no task "nope". Name some of default', 'other', 'base', '--tasks', 'nope'],
  ] as const) {
    const refused = await callProgram('report', old, '--between', ...words);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toContain(said);
    expect(refused.stderr).toMatch(/^tracetax: [^\n]*\n$/);
  }
});

test('--between tells what speaks against the whole run, too', async () => {
  const stopped = writeFakeResult(files, 'stopped.json', 12, (result) => {
    result.stoppedBy = 'SIGINT';
  });
  const { stdout } = await callProgram('report', stopped, '--between', 'other', 'base');
  expect(stdout).toContain('SIGINT');
});

test('--between says nothing of how well other rows are known', async () => {
  const rough = writeFakeResult(files, 'rough.json', 12, ({ configuration }) =>
    Object.assign(configuration, { within: { value: 0.1, unit: '%' }, mostPairs: 30 }),
  );
  const all = await callProgram('report', rough);
  expect(all.stdout).toContain('not known within 0.1 %');
  const { stdout } = await callProgram('report', rough, '--between', 'other', 'base');
  expect(stdout).not.toContain('not known within');
});

describe('several results', () => {
  const onDay = (day: number, otherUs: number, edit: (result: Result) => void = () => {}) =>
    files.write(`day-${day}.json`, fakeResultAt(day, otherUs, 10, edit));
  const [first, second] = [onDay(1, 20), onDay(2, 25)];

  test('are printed as what changed, or written as a page', async () => {
    const printed = await callProgram('report', second, first);
    expect(printed).toMatchObject({ status: 0, stderr: '' });
    expect(printed.stdout).toMatch(/2026-11-01 .*\n.*2026-11-02 /);
    expect(printed.stdout).toMatch(/\+25\.0 ±.* dearer \|/);
    const page = files.path('history.html');
    const written = await callProgram('report', first, second, '--html', page);
    expect(written).toEqual({ status: 0, stderr: '', stdout: `${page}: written\n` });
    expect(readFileSync(page, 'utf8')).toContain('2 results of 1 row');
  });

  test.each([
    ['of two suites', ['fake, another'], [onDay(3, 20, otherSuite)]],
    ['of which two are the same', ['2026-11-01T08:00:00.000Z'], [first]],
    ['of revisions', ['--git'], [onDay(4, 20, asRevisions)]],
    ['for an action that takes one', ['one'], [second, '--format', 'github-action-benchmark']],
    ['for two scenarios', ['--between'], [second, '--between', 'other', 'base']],
    ['for a document', ['--update'], [second, '--update', 'doc.md']],
  ])('%s are refused in one line', async (_, said, words) => {
    const { status, stdout, stderr } = await callProgram('report', first, ...words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^(tracetax|error): [^\n]*\n$/);
    for (const each of said) expect(stderr).toContain(each);
  });
});

function otherSuite({ suite }: Result): void {
  suite.name = 'another';
}
