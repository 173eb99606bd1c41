// What is made of result files: documents, pages and gates. Golden files in harness/report show what is printed.
import { afterAll, expect, test } from 'bun:test';
import {
  chmodSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { Result } from '../../harness/result/schema.ts';
import { makeHostile } from '../../harness/testing/fake-analysis.ts';
import { asRevisions, fakeFault, fakePairs, fakeResult } from '../../harness/testing/fakes.ts';
import { Workplace } from '../support/workplace.ts';

const place = new Workplace();
afterAll(() => place[Symbol.asyncDispose]());
const call = (...args: string[]) => place.run(args);

/** The file of a run in which `other` costs so many µs of CPU a request and the baseline 10, after `edit`. */
function fake(name: string, otherUs = 12, edit = (_: Result) => {}): string {
  const costs = (us: number) => [0.99, 1, 1.01].map((factor) => us * factor);
  const result = fakeResult([
    ...fakePairs('base', costs(10)),
    ...fakePairs('other', costs(otherUs)),
  ]);
  edit(result);
  return place.write(name, result);
}
const old = fake('old.json');

test('--update replaces the blocks of a document and nothing else, and is up to date after that', async () => {
  const [head, middle, tail] = ['\xef\xbb\xbf\xff\0', '\xe9\r\n', '\xfe\r'];
  const block = '<!-- bench:fake -->\r\nold\r\n<!-- /bench -->';
  const [document, link] = [place.path('doc.md'), place.path('link.md')];
  writeFileSync(document, head + block + middle + block + tail, 'latin1');
  chmodSync(document, 0o640);
  symlinkSync(document, link);

  const stale = await call('report', old, '--update', document, '--check');
  expect(stale).toEqual({ status: 1, stderr: '', stdout: `${document}: fake is out of date\n` });
  expect(readFileSync(document, 'latin1')).toContain('old');
  const updated = await call('report', old, '--update', link);
  expect(updated).toMatchObject({ status: 0, stdout: `${link}: fake updated\n` });
  const text = readFileSync(document, 'latin1');
  expect(text).toStartWith(`${head}<!-- bench`);
  expect(text).toContain(`/bench -->${middle}<!-- bench`);
  expect(text).toEndWith(`/bench -->${tail}`);
  expect(text).toContain('+2.00 ');
  expect(statSync(document).mode & 0o777).toBe(0o640);
  expect(statSync(link).ino).toBe(statSync(document).ino);
  const again = await call('report', old, '--update', document, '--check');
  expect(again).toMatchObject({ status: 0, stdout: `${document}: fake is up to date\n` });

  const none = place.write('none.md', 'nothing');
  expect(await call('report', old, '--update', none)).toMatchObject({ status: 2, stdout: '' });
  expect(readFileSync(none, 'utf8')).toBe('nothing');
});

test('a run that ended before its first pair has no table of titles alone', async () => {
  const none = fake('none.json', 12, (result) =>
    Object.assign(result, { pairs: [], stoppedBy: 'interrupted' }),
  );
  const { stdout, status } = await call('report', none);
  expect(stdout).not.toContain('| Scenario');
  expect(stdout).toContain('Not all was measured');
  expect(status).toBe(0);
});

const worse = fake('worse.json', 15);
const quick = fake('quick.json', 15, ({ configuration }) =>
  Object.assign(configuration, { isQuick: true }),
);
const big = fake('big.json', 12, ({ suite }) => {
  for (const { exchanges } of suite.tasks)
    Object.assign(exchanges[0] ?? {}, { path: '/big', requestDigest: '02' });
});
const PATH = 'default.request.0.path was "/", and is "/big"';
const DIGEST = 'default.request.0.requestDigest was "01", and is "02"';
const revisions = fake('revisions.json', 12, (result) => {
  result.pairs = result.pairs.filter(({ scenario }) => scenario === 'other');
  asRevisions(result);
});
const [two, broken] = ['two.json', 'broken.json'].map((name) =>
  fake(name, 12, ({ pairs, suite }) => {
    if (name === 'broken.json') pairs.at(-1)?.faults.push(fakeFault({ what: 'boom' }));
    suite.tasks[0]?.scenarios.push('more');
    pairs.push(...fakePairs('more', [12.9, 13, 13.1]));
  }),
) as [string, string];
test.each<[status: number, said: string, args: string[]]>([
  [0, 'Other', [old, worse]],
  [0, 'Wholly above 50 %: 0 of 1 interval.', [old, worse, '--fail-above', '50%']],
  [1, 'worse, above 1 µs', [old, worse, '--fail-above', '1us']],
  [0, 'Wholly above 0 %: 0 of 1 interval.', [worse, old, '--fail-above', '0%']],
  [0, '- New: Not for publishing', [old, quick]],
  // Of other requests, unless that is forced.
  [2, `${PATH}; ${DIGEST}. Use --force`, [old, big, '--fail-above', '1000%', '--allow-missing']],
  [0, `\n- ${PATH}\n`, [old, big, '--force']],
  [0, 'Other', [big, big]],
  [0, 'measured in pairs of both', [revisions]],
  [2, 'is not of two revisions', [old]],
  // A row that could not be compared fails, unless it may be missing, and not all are.
  [
    1,
    'Other could not be judged: invalid in the new result: boom; --allow-missing accepts that.',
    [two, broken, '--fail-above', '50%'],
  ],
  [0, 'boom', [two, broken, '--fail-above', '50%', '--allow-missing']],
  [1, 'boom', [old, broken, '--fail-above', '5%', '--allow-missing']],
])('compare ends with %i and says %j', async (status, said, args) => {
  const run = await call('compare', ...args);
  expect(run.status).toBe(status);
  expect(run.stdout + run.stderr).toContain(said);
  expect(run.stderr.split('\n').length).toBeLessThanOrEqual(2);
  if (status === 2) expect(run.stdout).toBe('');
});

test('--html and --svg write the page and pictures, say where, and escape what a file holds', async () => {
  const [page, folder] = [place.path('out.html'), place.path('pictures/new')];
  const run = await call(
    'report',
    fake('hostile.json', 12, makeHostile),
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
    expect(text).not.toMatch(/<script|(?![\r\n])\p{Cc}|\p{Bidi_Control}/u);
  }
  // What is no page is not written over, and what is no folder not written into.
  for (const option of ['--html', '--svg']) {
    const refused = await call('report', old, option, old);
    expect(refused).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^tracetax: [^\n]*\n$/),
    });
  }
  expect(JSON.parse(readFileSync(old, 'utf8')).kind).toBe('tracetax');
});
