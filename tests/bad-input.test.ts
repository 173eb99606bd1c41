// What a user gets wrong, or lacks: one line says it, and nothing is left behind. What a part says of it is tested there.
import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { type Finished, HI, LIMIT_MS, SHORT, Workplace } from './bench.ts';

/** Exit status not 0, one line for the user, no stack trace, no process and no file left behind. */
async function expectOneLine({ status, stderr }: Finished, place: Workplace, ...words: string[]): Promise<void> {
  expect(status).toBeGreaterThan(0);
  const lines = stderr.split('\n').filter((line) => /^(tracetax|error): /.test(line));
  expect(lines.length).toBe(1);
  for (const word of words) expect(lines[0]).toContain(word);
  expect(stderr).not.toMatch(/^\s+at /m);
  await place.end();
  expect(readdirSync(place.temporary)).toEqual([]);
}

test.concurrent.each<[string, string[], string[]]>([
  ['suite', ['--suite', 'nope'], ['There is no suite "nope"', 'levels']],
  ['suite file', ['--suite', './nope.json'], ['no suite file', 'nope.json']],
  ['scenario', ['--scenarios', 'nope'], ['no scenario "nope"', 'trace-active']],
  [
    'task',
    ['--suite', 'workloads', '--tasks', 'nope'],
    ['Suite workloads has no task "nope". It has: simple, simple-post'],
  ],
  ['tool', ['--tool', 'ab'], ['ab', 'bombardier']],
  ['format', ['--format', 'pdf'], ['pdf', 'docs']],
  ['option', ['--round', '3'], ["unknown option '--round'"]],
  ['command', ['nurse'], ['nurse']],
  ['option before a command', ['--quick', 'explain', '--dry-run'], ['Give it after "explain"', '--quick']],
  ['number', ['--pairs', 'three'], ['three', 'whole number']],
  ['interval', ['--precision', '1%', '--duet-slices', '0', '--dry-run'], ['CPU per request', '--duet-slices 1']],
  ['result', ['report', '/nope.json'], ['/nope.json', "can't be read"]],
])('unknown %s', async (_, args, words) => {
  await using place = new Workplace();
  await expectOneLine(await place.run(args), place, ...words);
});

test.concurrent.each<[string, string, string[]]>([
  ['a suite that is no JSON', '{', ["can't be read"]],
  [
    'a suite with wrong fields',
    '{"name":"x","scenarios":[{"name":"a","command":"a"}]}',
    ['baseline', 'scenarios[0].command'],
  ],
])('%s', async (_, content, words) => {
  await using place = new Workplace();
  await expectOneLine(await place.run(['--suite', place.write('suite.json', content)]), place, ...words);
});

test.concurrent('a suite that ends the process', async () => {
  await using place = new Workplace();
  await expectOneLine(
    await place.run(['--suite', place.write('suite.ts', 'process.exit();')]),
    place,
    'ends the process',
  );
});

test.concurrent('a result of an older version', async () => {
  await using place = new Workplace();
  const old = place.write('result.json', '{"schemaVersion":2,"kind":"tracetax"}');
  await expectOneLine(await place.run(['report', old]), place, 'schema version 2', 'reads version 3', 'Measure again');
});

describe.concurrent('a place', () => {
  const measureInto = async (out: string, env: Record<string, string>, ...words: string[]) => {
    await using place = new Workplace();
    const run = await place.run([...SHORT, '--suite', place.suite({ a: HI }), '--out', out], env);
    await expectOneLine(run, place, ...words);
  };

  test('for temporary files that is none', () =>
    measureInto('x.json', { TMPDIR: '/nope' }, 'temporary files', '/nope'));

  test("that can't be written to", () => measureInto('/proc/nope.json', {}, "can't be written", '--out'));

  test('where a file is already, which is not written over', async () => {
    await using place = new Workplace();
    const out = place.write('out.json', 'precious');
    const run = await place.run(['--suite', place.suite({ a: HI }), '--out', out]);
    await expectOneLine(run, place, 'out.json exists already', '--out');
    expect(await Bun.file(out).text()).toBe('precious');
  });
});

test.concurrent('a revision, on a machine without git', async () => {
  await using place = new Workplace();
  symlinkSync(process.execPath, place.path('bun'));
  const run = await place.run(['compare', '--git', 'HEAD'], { PATH: place.folder });
  await expectOneLine(run, place, 'There is no git on this machine');
});

test.concurrent('a server that fails: with the end of its stderr; and of an optional one nothing is left', async () => {
  await using place = new Workplace();
  const suite = place.suite({ a: HI });
  place.write('a.ts', "throw new Error('boom');");
  await expectOneLine(await place.run([...SHORT, '--suite', suite]), place, 'Scenario a did not start', 'boom');
  const scenarios = [{ name: 'a', command: ['no-such-program'], optional: true }];
  const run = await place.run([...SHORT, '--suite', place.suite({ a: HI }, { scenarios })]);
  await expectOneLine(run, place, 'Scenario a has no program "no-such-program" here');
});

describe.concurrent('a load tool', () => {
  const cases: [string, string | undefined, string[]][] = [
    [
      'that is missing is not passed over for another',
      undefined,
      ['no bombardier on this machine', 'no program /nope/tool'],
    ],
    ['that crashes', 'echo out of files >&2; exit 4', ['ended with status 4', 'out of files']],
    ['that prints something unexpected', 'echo hello', ['printed something unexpected', 'hello']],
    ['that prints nothing', '', ['nothing, perhaps because the disk of']],
  ];
  test.each(cases)(
    '%s',
    async (_, script, words) => {
      await using place = new Workplace();
      const BOMBARDIER = script === undefined ? '/nope/tool' : place.bombardier(script);
      const run = await place.run([...SHORT, '--suite', place.suite({ a: HI })], { BOMBARDIER });
      await expectOneLine(run, place, ...words);
      expect(existsSync(place.path('out.json'))).toBe(false);
    },
    LIMIT_MS,
  );
});
