// What is made of result files: documents, pages and gates. Golden files in harness/report show what is printed.
import { afterAll, describe, expect, test } from 'bun:test';
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import type { Result } from '../harness/result/schema.ts';
import { makeHostile } from '../harness/testing/fake-analysis.ts';
import { asRevisions, fakeFault, fakePairs, fakeResult } from '../harness/testing/fakes.ts';
import { ROOT, tableIn, Workplace } from './bench.ts';

const place = new Workplace();
afterAll(() => place[Symbol.asyncDispose]());
const call = (...args: string[]) => place.run(args);

/** The file of a run in which `other` costs so many µs of CPU a request and the baseline 10, after `edit`. */
function fake(name: string, otherUs = 12, edit = (_: Result) => {}): string {
  const costs = (us: number) => [0.99, 1, 1.01].map((factor) => us * factor);
  const result = fakeResult([...fakePairs('base', costs(10)), ...fakePairs('other', costs(otherUs))]);
  edit(result);
  return place.write(name, JSON.stringify(result));
}

describe('--update', () => {
  const result = fake('update.json');

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
    expect(stale).toMatchObject({ status: 1, stderr: '', stdout: `${document}: fake is out of date\n` });
    expect(readFileSync(document).includes('old')).toBe(true);

    const updated = await call('report', result, '--update', place.path('link.md'));
    expect(updated).toMatchObject({ status: 0, stdout: `${place.path('link.md')}: fake updated\n` });
    const bytes = readFileSync(document);
    expect(bytes.indexOf(head)).toBe(0);
    expect(bytes.lastIndexOf(tail)).toBe(bytes.length - tail.length);
    expect(bytes.includes(Buffer.concat([Buffer.from('<!-- /bench -->'), middle, Buffer.from('<!--')]))).toBe(true);
    expect(bytes.includes(Buffer.from('+2.00 ±'))).toBe(true);
    expect(statSync(document).mode & 0o777).toBe(0o640);
    expect(statSync(place.path('link.md')).ino).toBe(statSync(document).ino);

    const again = await call('report', result, '--update', document, '--check');
    expect(again).toMatchObject({ status: 0, stdout: `${document}: fake is up to date\n` });
  });

  test('a document without the block stays as it is', async () => {
    const document = place.write('none.md', 'nothing');
    const none = await call('report', result, '--update', document);
    expect(none.status).toBe(2);
    expect(none.stderr).toMatch(/^tracetax: There is no block "fake" to update\. [^\n]*\n$/);
    expect(readFileSync(document, 'utf8')).toBe('nothing');
  });
});

test('a full disk below stdout is one line and a failure; below stderr it is none', () => {
  const file = fake('full.json');
  const sh = (command: string) => Bun.spawnSync(['sh', '-c', `bun '${ROOT}/harness/cli.ts' report ${command}`]);
  const { exitCode, stderr } = sh(`'${file}' >/dev/full`);
  expect(exitCode).toBe(1);
  expect(stderr.toString()).toMatch(/^tracetax: stdout can't be written: ENOSPC[^\n]*\n$/);
  expect(sh('nope.json 2>/dev/full').exitCode).toBe(2);
});

test('a run that ended before its first pair has no table of titles alone', async () => {
  const none = fake('none.json', 12, (result) => Object.assign(result, { pairs: [], stoppedBy: 'interrupted' }));
  const { stdout, status } = await call('report', none);
  expect(stdout).not.toContain('| Scenario');
  expect(stdout).toContain('Not all was measured');
  expect(status).toBe(0);
});

describe('compare', () => {
  const old = fake('old.json');
  const worse = fake('worse.json', 15);

  test('status 0 without a limit or below it, 1 above it', async () => {
    const below = await call('compare', old, worse, '--fail-above', '50%');
    expect(below).toMatchObject({ status: 0, stderr: '' });
    expect(below.stdout).toContain('Wholly above 50 %: 0 of 1 interval.');
    expect(await call('compare', old, worse)).toMatchObject({ status: 0 });
    const above = await call('compare', old, worse, '--fail-above', '1us');
    expect(above.status).toBe(1);
    expect(tableIn(above.stdout).rows.Other?.at(-1)).toBe('worse, above 1 µs');
    expect(await call('compare', worse, old, '--fail-above', '0%')).toMatchObject({ status: 0 });
    const quick = fake('quick.json', 15, ({ configuration }) => Object.assign(configuration, { isQuick: true }));
    expect((await call('compare', old, quick)).stdout).toContain('- New: Not for publishing');
  });

  test('results of other requests are not compared, unless that is forced', async () => {
    const big = fake('big.json', 12, ({ suite }) => {
      for (const exchange of suite.tasks.flatMap(({ exchanges }) => exchanges))
        Object.assign(exchange, { path: '/big', requestDigest: '02' });
    });
    const path = 'default.request.0.path was "/", and is "/big"';
    const refused = await call('compare', old, big, '--fail-above', '1000%', '--allow-missing');
    const digest = 'default.request.0.requestDigest was "01", and is "02"';
    const stderr = expect.stringMatching(/^[^\n]*\n$/);
    expect(refused).toEqual({ status: 2, stdout: '', stderr });
    expect(refused.stderr).toStartWith(`tracetax: These results can't be compared: ${path}; ${digest}. Use --force`);
    const forced = await call('compare', old, big, '--force');
    expect(forced.status).toBe(0);
    expect(forced.stdout).toContain(`\n- ${path}\n`);
    expect(await call('compare', big, big)).toMatchObject({ status: 0, stderr: '' });
  });

  test('a result of two revisions alone, and what is none', async () => {
    const revisions = fake('revisions.json', 12, (result) => {
      result.pairs = result.pairs.filter(({ scenario }) => scenario === 'other');
      asRevisions(result);
    });
    expect(await call('compare', revisions)).toMatchObject({ status: 0, stderr: '' });
    const refused = await call('compare', old);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toContain('is not of two revisions');
  });

  test('rows that could not be compared fail, unless they are allowed to be missing, and not all are', async () => {
    const two = (name: string, what?: string) =>
      fake(name, 12, (result) => {
        const [task] = result.suite.tasks;
        if (what) result.pairs.at(-1)?.faults.push(fakeFault({ what }));
        task?.scenarios.push('more');
        result.pairs.push(...fakePairs('more', [12.9, 13, 13.1]));
      });
    const args = ['compare', two('two.json'), two('invalid.json', 'boom'), '--fail-above', '50%'];
    const run = await call(...args);
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/^tracetax: Other could not be judged: invalid in the new result: boom\.\n$/);
    expect(tableIn(run.stdout).rows.Other?.at(-1)).toContain('boom');
    expect(await call(...args, '--allow-missing')).toMatchObject({ status: 0, stderr: '' });
    const none = ['compare', old, 'invalid.json', '--fail-above', '5%', '--allow-missing'];
    expect(await call(...none)).toMatchObject({ status: 1 });
  });
});

describe('--html and --svg', () => {
  test('write the page and the picture for light and dark, say where, and escape what a file holds', async () => {
    const [page, folder] = [place.path('out.html'), place.path('pictures/new')];
    const hostile = fake('hostile.json', 12, makeHostile);
    const run = await call('report', hostile, '--html', page, '--svg', folder);
    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(readdirSync(folder).sort()).toEqual(['fake-dark.svg', 'fake-light.svg']);
    for (const file of [page, ...readdirSync(folder).map((name) => `${folder}/${name}`)]) {
      expect(run.stdout).toContain(`${file}: written`);
      const text = readFileSync(file, 'utf8');
      expect(text).toMatch(/^(<!doctype html>|<svg .*<\/svg>\s*$)/is);
      expect(text).toContain('&lt;script&gt;');
      expect(text).not.toMatch(/<script|(?![\r\n])\p{Cc}|\p{Bidi_Control}/u);
    }
  });

  test('what is no page is not written over, and what is no folder not written into', async () => {
    const result = fake('page.json');
    const run = await call('report', result, '--html', result);
    expect(run).toMatchObject({ status: 2 });
    expect(JSON.parse(readFileSync(result, 'utf8')).kind).toBe('tracetax');
    const file = await call('report', result, '--svg', result);
    expect(file.status).toBe(2);
    expect(file.stderr).toMatch(/^tracetax: [^\n]*can't be made[^\n]*\n$/);
  });
});
