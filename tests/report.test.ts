// What is made of result files: reports, documents, pages, comparisons, and refusals of files that are none.
import { afterAll, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { FORMATS } from '../harness/options.ts';
import type { Result } from '../harness/result/schema.ts';
import { fakePairs, fakeResult } from '../harness/testing/fakes.ts';
import { ROOT, tableIn, Workplace } from './bench.ts';

const place = new Workplace();
afterAll(() => place[Symbol.asyncDispose]());
const call = (...args: string[]) => place.run(args);
const write = (name: string, result: object) => place.write(name, JSON.stringify(result));

/** A run in which `other` costs so many µs of CPU a request, and the baseline 10. */
function fake(otherUs = 12): Result {
  const spread = [0.99, 1, 1.01];
  const costs = (us: number) => spread.map((factor) => us * factor);
  return fakeResult([...fakePairs('base', costs(10)), ...fakePairs('other', costs(otherUs))]);
}

function edited(edit: (result: Result) => void): string {
  const result = fake();
  edit(result);
  return JSON.stringify(result);
}

describe('--update', () => {
  const result = write('update.json', fake());

  test('replaces the blocks and nothing else, says what changed, and is up to date after that', async () => {
    const head = Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0x00]);
    const middle = Buffer.from('é\r\n');
    const tail = Buffer.from([0xfe, 0x0d]);
    const block = Buffer.from('<!-- bench:fake -->\r\nold\r\n<!-- /bench -->');
    const document = place.path('doc.md');
    writeFileSync(document, Buffer.concat([head, block, middle, block, tail]));
    chmodSync(document, 0o640);
    symlinkSync(document, place.path('link.md'));

    const stale = await call('report', result, '--update', document, '--check');
    expect(stale).toMatchObject({ status: 1, stderr: '' });
    expect(stale.stdout).toMatch(/doc\.md: fake is out of date\n$/);
    expect(readFileSync(document).includes('old')).toBe(true);

    const updated = await call('report', result, '--update', place.path('link.md'));
    expect(updated.status).toBe(0);
    expect(updated.stdout).toMatch(/link\.md: fake updated\n$/);
    const bytes = readFileSync(document);
    expect(bytes.indexOf(head)).toBe(0);
    expect(bytes.lastIndexOf(tail)).toBe(bytes.length - tail.length);
    expect(bytes.includes(Buffer.concat([Buffer.from('<!-- /bench -->'), middle, Buffer.from('<!--')]))).toBe(true);
    expect(bytes.includes(Buffer.from('+2.00 µs'))).toBe(true);
    expect(statSync(document).mode & 0o777).toBe(0o640);
    expect(statSync(place.path('link.md')).ino).toBe(statSync(document).ino);

    const again = await call('report', result, '--update', document, '--check');
    expect(again).toMatchObject({ status: 0, stdout: `${document}: fake is up to date\n` });
  });

  test('a document without the block, and --check alone', async () => {
    const document = place.write('none.md', 'nothing');
    const none = await call('report', result, '--update', document);
    expect(none.status).toBe(2);
    expect(none.stderr).toMatch(/^tracetax: There is no block "fake" to update\. [^\n]*\n$/);
    expect(await call('report', result, '--check')).toMatchObject({ status: 2 });
    expect(readFileSync(document, 'utf8')).toBe('nothing');
  });
});

test.skipIf(!existsSync('/dev/full'))(
  'a full disk below stdout is one line and a failure; below stderr it is none',
  () => {
    const file = write('fake.json', fake());
    const cli = `bun '${ROOT}/harness/cli.ts' report`;
    const sh = (command: string) => Bun.spawnSync(['sh', '-c', command]);
    const { exitCode, stderr } = sh(`${cli} '${file}' >/dev/full`);
    expect(exitCode).toBe(1);
    expect(stderr.toString()).toMatch(/^tracetax: stdout can't be written: ENOSPC[^\n]*\n$/);
    expect(sh(`${cli} '${file}' --html '${place.path('x.html')}' 2>/dev/full`).exitCode).toBe(0);
    expect(sh(`${cli} nope.json 2>/dev/full`).exitCode).toBe(2);
  },
);

test('--endpoints prints or compares these tasks alone, and names all if one is unknown', async () => {
  const both = place.write(
    'tasks.json',
    edited(({ suite, pairs }) => {
      suite.tasks.push(...suite.tasks.map((task) => ({ ...task, name: 'second', title: 'Second' })));
      pairs.push(...fakePairs('other', [15, 15.1, 14.9]).map((pair) => ({ ...pair, task: 'second' })));
      suite.skipped.push({ scenario: 'Broken', reason: 'no program', tasks: ['default'] });
    }),
  );
  expect((await call('report', both, '--format', 'full')).stdout).toContain('Broken was skipped');
  expect((await call('report', both, '--format', 'full', '--endpoints', 'second')).stdout).not.toContain('Broken');
  const { stdout } = await call('report', both, '--endpoints', 'second');
  expect(stdout).toContain('+5.00 µs');
  expect(stdout).not.toContain('+2.00 µs');
  const compared = await call('compare', both, both, '--endpoints', 'second');
  expect(compared.stdout).toContain('+5.00 µs');
  expect(compared.stdout).not.toContain('+2.00 µs');
  const { status, stderr } = await call('report', both, '--endpoints', 'third');
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 'tracetax: Suite fake has no endpoint "third". It has: default, second.\n',
  });
});

describe('compare', () => {
  const old = write('old.json', fake(12));
  const worse = write('worse.json', fake(15));

  test('a table, and status 0 without a limit or below it', async () => {
    const run = await call('compare', old, worse, '--fail-above', '50%');
    expect(run).toMatchObject({ status: 0, stderr: '' });
    const { headings, rows } = tableIn(run.stdout);
    expect(headings.slice(0, 5)).toEqual(['Test', 'Cost', 'Old', 'New', 'Change']);
    expect(rows.Other?.join(' ')).toMatch(/^Server CPU \+2\.00 µs \+5\.00 µs \+3\.00 µs ±[\d.]+ .* worse$/);
    expect(run.stdout).toContain('0 of 1 ');
    expect(await call('compare', old, worse)).toMatchObject({ status: 0 });
  });

  test('status 1 above the limit, 0 the other way round and for the same result', async () => {
    const run = await call('compare', old, worse, '--fail-above', '1us');
    expect(run.status).toBe(1);
    expect(tableIn(run.stdout).rows.Other?.at(-1)).toMatch(/^worse, above 1 ?[uµ]s$/);
    expect(await call('compare', worse, old, '--fail-above', '0%')).toMatchObject({ status: 0 });
    const same = await call('compare', old, old, '--fail-above', '0%');
    expect(same.status).toBe(0);
    expect(tableIn(same.stdout).rows.Other?.at(-1)).toBe('no significant difference');
    expect(await call('compare', old, worse, '--fail-above', 'much')).toMatchObject({ status: 2 });
  });

  test('a result of two revisions: warnings about a row have no mark, as no row has one', async () => {
    const pairs = fakePairs('other', [11.9, 12, 12.1]);
    for (const { alternating } of pairs)
      for (const { scenario } of alternating) if (scenario.latencyUs) scenario.latencyUs.mean += 300;
    const revisions = fakeResult(pairs);
    for (const task of revisions.suite.tasks) task.scenarios = ['other'];
    const run = await call('compare', write('revisions.json', revisions));
    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(run.stdout).toMatch(/^- Other: the change is /m);
    const cut = fake();
    cut.pairs = cut.pairs.filter(({ scenario }) => scenario !== 'base');
    const refused = await call('compare', write('cut-short.json', cut));
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toContain('is not of two revisions');
  });

  test('rows that could not be compared fail, unless they are allowed to be missing', async () => {
    const invalid = fake();
    for (const pair of invalid.pairs) if (pair.scenario === 'other') pair.invalid.push('boom');
    const args = ['compare', old, write('invalid.json', invalid), '--fail-above', '5%'];
    const run = await call(...args);
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/^tracetax: 1 rows? could not be compared\. Use --allow-missing[^\n]*\n$/);
    expect(tableIn(run.stdout).rows.Other?.at(-1)).toContain('boom');
    expect(await call(...args, '--allow-missing')).toMatchObject({ status: 0, stderr: '' });
  });

  test('results that are not comparable: refused, or marked', async () => {
    const other = fake(12);
    other.environment.cpu = 'Other CPU';
    const file = write('machine.json', other);
    const refused = await call('compare', old, file);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^tracetax: .*Test CPU.*Other CPU.*--force.*\n$/);
    const forced = await call('compare', old, file, '--force');
    expect(forced.status).toBe(0);
    expect(forced.stdout).toContain('Not comparable. ');
  });

  test("GitHub: the table to the job's summary, annotations to the log", async () => {
    const summary = place.write('summary.md', 'before\n');
    const args = ['compare', old, worse, '--format', 'github', '--fail-above', '5%'];
    const run = await place.run(args, { GITHUB_STEP_SUMMARY: summary });
    expect(run.status).toBe(1);
    expect(run.stdout).toMatch(/^::error title=tracetax%3A Other::\+3\.00 µs .*above 5 ?%25\n$/);
    expect(readFileSync(summary, 'utf8')).toMatch(/^before\n\| Test .*\| Other/s);
    const without = await place.run(args, { GITHUB_STEP_SUMMARY: '' });
    expect(without.stdout).toMatch(/^\| Test .*\n::error /s);
  });
});

test('github-action-benchmark: an entry for each change, as the action reads them', async () => {
  const file = write('action.json', fake());
  const { status, stdout } = await call('report', file, '--format', 'github-action-benchmark');
  expect(status).toBe(0);
  const entries = JSON.parse(stdout);
  expect(entries).toMatchObject([
    { name: 'Other, change per request', unit: 'ms' },
    { name: 'Other, server CPU per request', unit: 'µs' },
  ]);
  expect(entries[1].value).toBeCloseTo(2, 6);
  for (const { range } of entries) expect(range).toMatch(/^± [\d.]+$/);
});

describe('a file that is none', () => {
  const refuses = async (file: string, ...words: string[]) => {
    const { status, stdout, stderr } = await call('report', file);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^tracetax: [^\n]*\n$/);
    expect(stderr.length).toBeLessThan(1_000);
    for (const word of words) expect(stderr).toContain(word);
    expect(stderr).not.toMatch(/(?!\n)\p{Cc}/u);
  };

  test('nested without end', async () => {
    await refuses(place.write('deep.json', '['.repeat(1_000_000)), 'is not a result');
    const nested = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    await refuses(place.write('deeper.json', `{"schemaVersion":2,"suite":${nested}}`), 'is not a result');
  });

  test('larger than a result can be', async () => {
    const file = place.write('large.json', '{');
    truncateSync(file, 65 * 1024 ** 2);
    await refuses(file, "can't be read", 'larger than 64 MiB');
  });

  test('huge numbers, other types, a list in place of an object', async () => {
    const huge = edited(() => {}).replace('"seed":7', '"seed":1e999');
    await refuses(place.write('huge.json', huge), 'configuration.seed');
    const list = edited((result) => Object.assign(result, { pairs: { length: 9 } }));
    await refuses(place.write('types.json', list), 'pairs');
    await refuses(place.write('list.json', '[]'), 'is not a result');
    await refuses(place.write('null.json', 'null'), 'is not a result');
  });

  test('no regular file, or none at all', async () => {
    await refuses('/dev/zero', 'not a regular file');
    await refuses(place.folder, 'not a regular file');
    await refuses(place.path('nope.json'), "can't be read");
  });

  test('characters that a terminal obeys', async () => {
    await refuses(place.write('escape.json', '\u001b[2J\u009b'), 'is not a result');
    const packages = edited(({ environment }) => Object.assign(environment.packages, { '\u001b[2J\u009b': 1 }));
    await refuses(place.write('key.json', packages), 'environment.packages');
  });
});

describe('a hostile file does no harm', () => {
  const NASTY = '<script>alert(1)</script>`|](x) <!-- /bench --> \u001b[2J\u009b\u202e';
  const hostile = edited((result) => {
    result.suite.title = NASTY;
    for (const scenario of result.suite.scenarios) scenario.title = NASTY;
    for (const task of result.suite.tasks) task.title = NASTY;
    for (const pair of result.pairs) pair.command.push(NASTY);
    result.environment.packages = { hono: '\u001b]0;x\u0007' };
    result.stoppedBy = NASTY;
  })
    .replace('"packages":{', '"packages":{"__proto__":"x","constructor":"y",')
    .replace('{', '{"__proto__":{"polluted":true},');
  const file = place.write('markup.json', hostile);

  test.each([...FORMATS])('markup and control characters are shown for what they are: %s', async (format) => {
    const { status, stdout, stderr } = await call('report', file, '--format', format);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_Control}/u);
    if (format !== 'docs' && format !== 'full') return;
    expect(stdout).not.toContain('<!--');
    // In code, Markdown shows it as it is.
    expect(stdout.replace(/^.*: (`+).*\1$/gm, '')).not.toContain('<script');
  });

  test('nor in pages and pictures', async () => {
    const page = place.path('hostile.html');
    expect(await call('report', file, '--html', page, '--svg', place.path('hostile'))).toMatchObject({ status: 0 });
    const pictures = readdirSync(place.path('hostile')).map((name) => place.path(`hostile/${name}`));
    expect(pictures.length).toBe(2);
    for (const each of [page, ...pictures]) {
      const text = readFileSync(each, 'utf8');
      expect(text).toContain('&lt;script&gt;');
      expect(text).not.toContain('<script');
      expect(text).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_Control}/u);
    }
  });

  test('a name that leads out of a folder is refused', async () => {
    const result = edited(({ suite }) => Object.assign(suite, { name: '../../escaped' }));
    const run = await call('report', place.write('name.json', result), '--svg', place.path('a/b/c'));
    expect(run.status).toBe(2);
    expect(run.stderr).toContain('suite.name');
    expect(existsSync(place.path('a'))).toBe(false);
  });

  const misfits: [string, (result: Result) => void][] = [
    ['a baseline that is no scenario', ({ suite }) => Object.assign(suite.tasks[0] ?? {}, { baseline: 'nope' })],
    ['a task without scenarios', ({ suite }) => Object.assign(suite.tasks[0] ?? {}, { scenarios: [] })],
    ['no tasks', ({ suite }) => Object.assign(suite, { tasks: [] })],
    ['a scenario that nobody knows', ({ pairs }) => Object.assign(pairs[0] ?? {}, { scenario: 'x' })],
    ['a pair of no task', ({ pairs }) => Object.assign(pairs[0] ?? {}, { task: 'x' })],
    ['a pair without slices', ({ pairs }) => Object.assign(pairs[0] ?? {}, { alternating: [], duets: [] })],
    ['no requests', ({ pairs }) => Object.assign(pairs[0]?.duets[0]?.scenario ?? {}, { requests: 0 })],
    ['no seconds', ({ pairs }) => Object.assign(pairs[0]?.alternating[0]?.baseline ?? {}, { seconds: 0 })],
  ];
  test.each(misfits)('fields that do not go together: %s', async (_, edit) => {
    const name = place.write('misfit.json', edited(edit));
    const { status, stdout, stderr } = await call('report', name, '--format', 'full');
    expect([0, 2]).toContain(Number(status));
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stdout).not.toMatch(/NaN|Infinity|undefined/);
  });
});

test('a file that is cut short is shown for what it is', async () => {
  const nothing = write('nothing.json', { ...fakeResult([]), endedAt: null });
  for (const format of FORMATS) {
    const run = await call('report', nothing, '--format', format);
    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(run.stdout).not.toMatch(/NaN|Infinity|undefined/);
  }
  const killed = fake();
  killed.pairs.length = 4;
  const run = await call('report', write('killed.json', { ...killed, endedAt: null }));
  expect(run.stdout).toContain('The run ended after 4 of 6 pairs');
});

describe('--html and --svg', () => {
  const result = write('page.json', fake());

  test('write the page and the picture for light and dark, and say where', async () => {
    const page = place.path('out.html');
    const run = await call('report', result, '--html', page, '--svg', place.path('pictures/new'));
    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(page, 'utf8')).toMatch(/^<!doctype html>/i);
    const pictures = readdirSync(place.path('pictures/new')).sort();
    expect(pictures).toEqual(['fake-dark.svg', 'fake-light.svg']);
    for (const name of ['out.html', ...pictures]) expect(run.stdout).toContain(name);
    for (const name of pictures)
      expect(readFileSync(place.path(`pictures/new/${name}`), 'utf8')).toMatch(/^<svg .*<\/svg>\s*$/s);
  });

  test('what is no page is not written over, and what is no folder not written into', async () => {
    const run = await call('report', result, '--html', result);
    expect(run).toMatchObject({ status: 2 });
    expect(JSON.parse(readFileSync(result, 'utf8')).kind).toBe('tracetax');
    const file = await call('report', result, '--svg', result);
    expect(file.status).toBe(2);
    expect(file.stderr).toMatch(/^tracetax: [^\n]*can't be made[^\n]*\n$/);
  });
});
