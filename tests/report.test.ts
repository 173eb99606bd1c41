import { afterAll, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { jsonSchema, SCHEMA_FILE } from '../harness/report/json-schema.ts';
import type { Result } from '../harness/results/schema.ts';
import { fakeDuetFork, fakeMeasurement, fakeResult } from '../harness/testing/fakes.ts';
import { bench, finished, Workplace } from './bench.ts';

const BENCHSTAT = process.env.BENCHSTAT ?? Bun.which('benchstat');

const place = new Workplace();
afterAll(() => place[Symbol.dispose]());
const call = (...args: string[]) => finished(bench(args));
const write = (name: string, result: object) => place.write(name, JSON.stringify(result));

function fake(otherUs = 12, startedAt = '2026-11-21T00:00:00.000Z'): Result {
  const round = () => [fakeMeasurement('base', 1_000), fakeMeasurement('other', 2_000)];
  const spread = [0.99, 1, 1.01];
  const duetForks = spread.flatMap((factor) => [
    fakeDuetFork('base', 10, 10 * factor),
    fakeDuetFork('other', 10, otherUs * factor),
  ]);
  return { ...fakeResult([round(), round(), round()]), startedAt, duetForks };
}

describe('--update', () => {
  const result = write('update.json', fake());

  test('replaces the blocks and nothing else, says what changed, and is up to date after that', async () => {
    const around = [
      Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0x00]),
      Buffer.from('é\r\n'),
      Buffer.from([0xfe, 0x0d]),
    ];
    const block = Buffer.from('<!-- bench:fake -->\r\nold\r\n<!-- /bench -->');
    const [head, middle, tail] = around as [Buffer, Buffer, Buffer];
    const document = place.path('doc.md');
    writeFileSync(document, Buffer.concat([head, block, middle, block, tail]));
    chmodSync(document, 0o640);
    symlinkSync(document, place.path('link.md'));

    const stale = await call('report', result, '--update', document, '--check');
    expect(stale).toMatchObject({ status: 1, stderr: '' });
    expect(stale.stdout).toMatch(/doc\.md: fake is stale: 2 blocks, \d+ lines in, 2 lines out\n$/);
    expect(readFileSync(document).includes('old')).toBe(true);

    const updated = await call('report', result, '--update', place.path('link.md'));
    expect(updated.status).toBe(0);
    expect(updated.stdout).toMatch(/link\.md: fake updated: 2 blocks, \d+ lines in, 2 lines out\n$/);
    const bytes = readFileSync(document);
    expect(bytes.indexOf(head)).toBe(0);
    expect(bytes.lastIndexOf(tail)).toBe(bytes.length - tail.length);
    expect(bytes.includes(Buffer.concat([Buffer.from('<!-- /bench -->'), middle, Buffer.from('<!--')]))).toBe(
      true,
    );
    expect(bytes.includes(Buffer.from('+2.00 µs'))).toBe(true);
    expect(statSync(document).mode & 0o777).toBe(0o640);
    expect(readdirSync(place.folder).filter((name) => name.includes('.tmp'))).toEqual([]);

    const again = await call('report', result, '--update', document, '--check');
    expect(again).toMatchObject({ status: 0, stdout: `${document}: fake is up to date\n` });
  });

  test('a document without the block, --check alone', async () => {
    const document = place.write('none.md', 'nothing');
    expect(await call('report', result, '--update', document)).toMatchObject({ status: 2 });
    expect(await call('report', result, '--check')).toMatchObject({ status: 2 });
    expect(readFileSync(document, 'utf8')).toBe('nothing');
  });
});

describe('compare', () => {
  const old = write('old.json', fake(12));
  const worse = write('worse.json', fake(15));

  test('a table, and status 0 without a limit or below it', async () => {
    const run = await call('compare', old, worse, '--fail-above', '50%');
    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(run.stdout).toMatch(
      /\| Other \| server CPU \| \+2\.00 µs \| \+5\.00 µs \| \+3\.00 µs \(.*\| worse +\|/,
    );
    expect(run.stdout).toContain('0 of 1 intervals lie wholly above 50%.');
    expect(await call('compare', old, worse)).toMatchObject({ status: 0 });
  });

  test('status 1 above the limit, 0 the other way round and for the same result', async () => {
    const run = await call('compare', old, worse, '--fail-above', '1us');
    expect(run.status).toBe(1);
    expect(run.stdout).toContain('**worse, above 1us**');
    expect(await call('compare', worse, old, '--fail-above', '0%')).toMatchObject({ status: 0 });
    const same = await call('compare', old, old, '--fail-above', '0%');
    expect(same.status).toBe(0);
    expect(same.stdout).toMatch(/\| ~ +\|/);
    expect(await call('compare', old, worse, '--fail-above', 'much')).toMatchObject({ status: 2 });
  });

  test('results that are not comparable: refused, or marked', async () => {
    const other = fake(12);
    other.environment.cpu = 'Other CPU';
    const file = write('machine.json', other);
    const refused = await call('compare', old, file);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^tracetax: .*machine: Test CPU.*Other CPU.*--force.*\n$/);
    const forced = await call('compare', old, file, '--force');
    expect(forced.status).toBe(0);
    expect(forced.stdout).toContain('**Not comparable**');
  });

  test("GitHub: the table to the job's summary, annotations to the log", async () => {
    const summary = place.write('summary.md', 'before\n');
    const args = ['compare', old, worse, '--format', 'github', '--fail-above', '5%'];
    const run = await finished(bench(args, { GITHUB_STEP_SUMMARY: summary }));
    expect(run.status).toBe(1);
    expect(run.stdout).toMatch(/^::error title=tracetax%3A Other::\+3\.00 µs .*above 5%25\n$/);
    expect(readFileSync(summary, 'utf8')).toMatch(/^before\n\| Test .*\| Other/s);
    const without = await finished(bench(args, { GITHUB_STEP_SUMMARY: '' }));
    expect(without.stdout).toMatch(/^\| Test .*\n::error /s);
  });
});

test('history: what is no result is named in one line and skipped', async () => {
  using folder = new Workplace();
  folder.write('a.json', JSON.stringify(fake(12, '2026-11-21T00:00:00.000Z')));
  folder.write('b.json', JSON.stringify(fake(14, '2026-11-20T00:00:00.000Z')));
  folder.write('bad.json', '{');
  folder.write('worse\u001b.json', '[]');
  folder.write('note.txt', '');
  const run = await call('history', '--folder', folder.folder);
  expect(run).toMatchObject({
    status: 0,
    stderr: 'tracetax: skipped, since they are no results: bad.json, worse\ufffd.json\n',
  });
  expect(run.stdout).toMatch(
    /^2026-11-20 .*b\.json\n2026-11-21 .*a\.json\n\nFake .*\n {2}█▁ {2}Other: \+4\.00 µs to \+2\.00 µs\n$/,
  );
  expect(await call('history', '--folder', folder.path('nope'))).toMatchObject({ status: 2 });
});

describe('a hostile file does no harm', () => {
  const refuses = async (name: string, content: string, words: string) => {
    const { status, stdout, stderr } = await call('report', place.write(name, content));
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^tracetax: [^\n]*\n$/);
    expect(stderr.length).toBeLessThan(1_000);
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/(?!\n)\p{Cc}/u);
  };
  const edited = (edit: (result: Result) => void) => {
    const result = fake();
    edit(result);
    return JSON.stringify(result);
  };

  test('nested without end, large, of huge numbers and of foreign types', async () => {
    await refuses('deep.json', '['.repeat(1_000_000), 'nested more than');
    const attributes = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    const deep = edited(({ suite }) => Object.assign(suite, { deep: 'DEEP' })).replace('"DEEP"', attributes);
    await refuses('deep2.json', deep, 'nested more than');
    await refuses('large.json', ' '.repeat(100 * 1024 ** 2), 'larger than');
    await refuses('huge.json', edited(() => {}).replace('"seed":7', '"seed":1e999'), 'configuration.seed');
    await refuses(
      'types.json',
      edited((result) => Object.assign(result, { duetForks: { length: 9 } })),
      'duetForks',
    );
    await refuses('escape.json', '\u001b[2J\u009b', 'is not JSON');
    await refuses(
      'many.json',
      `{"schemaVersion":1,"soloRounds":[${'1,'.repeat(300_000)}1]}`,
      'is not a result',
    );
  }, 60_000);

  test('what is no file', async () => {
    const run = await call('report', '/dev/zero');
    expect(run).toMatchObject({ status: 2 });
    expect(run.stderr).toContain('no regular file');
  });

  test('fields that do not go together', async () => {
    const cases: [(result: Result) => void, string][] = [
      [({ suite }) => Object.assign(suite, { baseline: 'nope' }), 'the baseline'],
      [({ soloRounds }) => soloRounds[1]?.measurements.pop(), 'round 2 does not have each scenario once'],
      [({ duetForks }) => Object.assign(duetForks[0] ?? {}, { scenario: 'x' }), 'a duet is of none'],
      [({ duetForks }) => Object.assign(duetForks[0] ?? {}, { slices: [] }), 'no requests'],
      [({ duetForks }) => Object.assign(duetForks[0] ?? {}, { task: 'x' }), 'of a task'],
      [
        ({ soloRounds }) => Object.assign(soloRounds[0]?.measurements[0]?.load ?? {}, { requests: 0 }),
        'no requests',
      ],
      [({ suite }) => suite.scenarios.push(...Array(2_000).fill(suite.scenarios[0])), 'more than 1000'],
    ];
    for (const [edit, words] of cases) await refuses('edited.json', edited(edit), words);
  }, 60_000);

  test('markup, control characters and __proto__ are shown, or not used', async () => {
    const hostile = edited(({ suite, environment }) => {
      for (const scenario of suite.scenarios)
        scenario.title = '<script>alert(1)</script>`|](x)\u001b[2J\u009b';
      environment.packages = { hono: '\u001b]0;x\u0007' };
    }).replace('"packages":{', '"packages":{"__proto__":"x","constructor":"y",');
    const file = place.write('markup.json', hostile.replace('{', '{"__proto__":{"polluted":true},'));
    for (const format of ['docs', 'full', 'json', 'csv', 'benchfmt']) {
      const { status, stdout, stderr } = await call('report', file, '--format', format);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).not.toMatch(/(?!\r\n|\n)\p{Cc}/u);
      if (format === 'docs' || format === 'full') expect(stdout).not.toContain('<script');
    }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  }, 60_000);
});

test('a file that is cut short or of an earlier version is shown for what it is', async () => {
  const nothing = { ...fakeResult([]), endedAt: null };
  const file = write('nothing.json', nothing);
  for (const format of ['docs', 'full', 'csv', 'benchfmt', 'json']) {
    const run = await call('report', file, '--format', format);
    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(run.stdout).not.toMatch(/NaN|Infinity|undefined/);
  }
  expect((await call('report', file)).stdout).toContain('did not end as planned');
  const { proofs: _, verdicts: __, ...older } = fake();
  const run = await call('report', write('older.json', older));
  expect(run).toMatchObject({ status: 0, stderr: '' });
  expect(run.stdout).toContain('Nothing proves');
});

test('the published JSON Schema is that of the reader: bun harness/report/json-schema.ts', () => {
  expect(JSON.parse(readFileSync(SCHEMA_FILE, 'utf8'))).toEqual(JSON.parse(JSON.stringify(jsonSchema())));
});

test.skipIf(!BENCHSTAT)('benchstat reads what --format benchfmt writes', async () => {
  const files = await Promise.all(
    [12, 15].map(async (us, index) => {
      const { stdout } = await call('report', write(`bench-${index}.json`, fake(us)), '--format', 'benchfmt');
      return place.write(`bench-${index}.txt`, stdout);
    }),
  );
  const run = Bun.spawnSync([BENCHSTAT as string, ...files]);
  expect(run.stderr.toString()).not.toMatch(/bench-\d\.txt:\d+/);
  expect(run.exitCode).toBe(0);
  const table = run.stdout.toString();
  expect(table).toContain('cpu: Test CPU');
  expect(table).toMatch(/Fake\/scenario=other\/by=duet.*1\.200.*1\.500/);
  expect(table).toContain('cpu-x-baseline');
  expect(table).toContain('latency-sec/req');
});

describe('--html and --svg', () => {
  const result = write('page.json', fake());

  test('write the page and the plots, and say where', async () => {
    const page = place.path('out.html');
    const run = await call('report', result, '--html', page, '--svg', place.path('plots'));
    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(page, 'utf8')).toMatch(/^<!doctype html>/i);
    const plots = readdirSync(place.path('plots'));
    expect(plots.length).toBeGreaterThan(0);
    for (const name of plots) {
      expect(name).toMatch(/^[\w-]+\.svg$/);
      expect(run.stdout).toContain(name);
    }
  }, 60_000);

  test('what is no page is not written over', async () => {
    const run = await call('report', result, '--html', result);
    expect(run).toMatchObject({ status: 2 });
    expect(existsSync(result) && JSON.parse(readFileSync(result, 'utf8')).kind).toBe('tracetax');
  });
});
