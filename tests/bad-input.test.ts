import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { type Finished, HI, LIMIT_MS, SHORT, Workplace } from './bench.ts';

/** Exit status not 0, one line for the user, no stack trace, no process and no file left behind. */
async function expectOneLine({ status, stderr }: Finished, place: Workplace, ...words: string[]): Promise<void> {
  expect(status).not.toBe(0);
  const lines = stderr.split('\n').filter((line) => /^(tracetax|error): /.test(line));
  expect(lines.length).toBe(1);
  for (const word of words) expect(lines[0]).toContain(word);
  expect(stderr).not.toMatch(/^\s+at /m);
  await place.end();
  expect(readdirSync(place.temporary)).toEqual([]);
}

describe('what is asked for is not there', () => {
  const cases: [string, string[], string[]][] = [
    ['suite', ['--suite', 'nope'], ['There is no suite "nope"', 'levels']],
    ['suite file', ['--suite', './nope.json'], ['no suite file', 'nope.json']],
    ['scenario', ['--scenarios', 'nope'], ['no scenario "nope"', 'trace-active']],
    [
      'endpoint',
      ['--suite', 'workloads', '--endpoints', 'nope'],
      ['Suite workloads has no endpoint "nope". It has: simple, simple-post'],
    ],
    ['tool', ['--tool', 'ab'], ['ab', 'bombardier']],
    ['format', ['--format', 'pdf'], ['pdf', 'docs']],
    ['option', ['--round', '3'], ["unknown option '--round'"]],
    ['command', ['doctor'], ['doctor']],
    ['option before a command', ['--quick', 'explain', '--dry-run'], ['Give it after "explain"', '--quick']],
    ['number', ['--pairs', 'three'], ['three', 'whole number']],
    ['count', ['--connections', '0'], ['0', 'whole number, at least 1']],
    ['length of time', ['--duration', '0.5s'], ['0.5s', 'whole seconds']],
    ['unit', ['--precision', '1ms'], ['1ms', '0.3us']],
    ['precision', ['--precision', '0us'], ['above 0']],
    ['interval', ['--precision', '1%', '--duet-slices', '0', '--dry-run'], ['CPU per request', '--duet-slices 1']],
    ['spread', ['--precision', '1%', '--pairs', '1', '--dry-run'], ['CPU per request', '--pairs 2']],
    ['result', ['report', '/nope.json'], ['/nope.json', "can't be read"]],
  ];
  test.each(cases)('unknown %s', async (_, args, words) => {
    await using place = new Workplace();
    await expectOneLine(await place.run(args), place, ...words);
  });

  test('folder for temporary files', async () => {
    await using place = new Workplace();
    const run = await place.run([...SHORT, '--suite', place.suite({ a: HI })], { TMPDIR: '/nope' });
    await expectOneLine(run, place, 'no place for temporary files', '/nope', '$TMPDIR');
  });

  test('a revision, on a machine without git', async () => {
    await using place = new Workplace();
    symlinkSync(process.execPath, place.path('bun'));
    const run = await place.run(['compare', '--git', 'HEAD'], { PATH: place.folder });
    await expectOneLine(run, place, 'There is no git on this machine');
  });
});

describe('files', () => {
  const measure = (place: Workplace, suite: object) =>
    place.run(['--suite', place.write('suite.json', JSON.stringify(suite))]);
  const report = (place: Workplace, content: string) => place.run(['report', place.write('result.json', content)]);

  test('a suite that does not fit its schema: every wrong field is named', async () => {
    await using place = new Workplace();
    const scenarios = [{ name: 'a', command: 'bun run a.ts' }];
    const run = await measure(place, { name: 'x', baseline: 'b', answer: { status: 404 }, scenarios });
    await expectOneLine(run, place, 'answer.status', 'scenarios[0].command', 'docs/suites.md');
  });

  test('a baseline that is no scenario, a misspelt field, a body file that is not there', async () => {
    await using place = new Workplace();
    const scenarios = [{ name: 'a', command: ['true'] }];
    const run = await measure(place, { name: 'x', baseline: 'b', scenarios });
    await expectOneLine(run, place, 'baseline', '"b" is not one of the scenarios (a)');
    await expectOneLine(await measure(place, { name: 'x', baseline: 'a', scenarios, anwser: {} }), place, 'anwser');
    const request = { method: 'POST', bodyFile: 'nope.bin' };
    const without = await measure(place, { name: 'x', baseline: 'a', scenarios, request });
    await expectOneLine(without, place, 'body file that does not exist', place.path('nope.bin'));
  });

  test('a suite that is not JSON', async () => {
    await using place = new Workplace();
    const run = await place.run(['--suite', place.write('suite.json', '{')]);
    await expectOneLine(run, place, "can't be read");
  });

  test('a result of another program or version, and one that is no JSON', async () => {
    await using place = new Workplace();
    await expectOneLine(await report(place, '{"a":1}'), place, 'is not a result of tracetax', 'kind');
    const old = await report(place, '{"schemaVersion":1,"kind":"tracetax"}');
    await expectOneLine(old, place, 'schema version 1', 'reads version 2', 'Measure again');
    await expectOneLine(await report(place, '{"schemaVersion":999,"kind":"tracetax"}'), place, 'schema version 999');
    await expectOneLine(await report(place, 'hello'), place, 'is not a result of tracetax');
  });

  test('a file that is there already is not written over', async () => {
    await using place = new Workplace();
    const out = place.write('out.json', 'precious');
    const run = await place.run(['--suite', place.suite({ a: HI }), '--out', out]);
    await expectOneLine(run, place, 'out.json exists already', '--out');
    expect(await Bun.file(out).text()).toBe('precious');
  });

  test("a place that can't be written to is found before anything is measured", async () => {
    await using place = new Workplace();
    const run = await place.run(['--suite', place.suite({ a: HI }), '--out', '/proc/nope.json']);
    await expectOneLine(run, place, "can't be written", '--out');
    expect(run.stderr).not.toContain('pair 1');
  });
});

describe('servers', () => {
  const measure = (place: Workplace, source: string, suite = place.suite({ a: HI })) => {
    place.write('a.ts', source);
    return place.run([...SHORT, '--suite', suite]);
  };

  test(
    'one that ends before it listens: with the end of its stderr',
    async () => {
      await using place = new Workplace();
      const run = await measure(place, "console.error('no database');\nprocess.exit(3);");
      await expectOneLine(run, place, 'scenario a', 'status 3', 'no database');
    },
    LIMIT_MS,
  );

  test(
    'one that throws',
    async () => {
      await using place = new Workplace();
      await expectOneLine(await measure(place, "throw new Error('boom');"), place, 'scenario a', 'boom');
    },
    LIMIT_MS,
  );

  test(
    'one that does not listen within 10 s',
    async () => {
      await using place = new Workplace();
      const run = await measure(place, "console.error('thinking');\nsetInterval(() => {}, 1000);");
      await expectOneLine(run, place, 'took more than 10 s before it listened on 127.0.0.1:', 'thinking');
    },
    LIMIT_MS,
  );

  test('a program that is not there', async () => {
    await using place = new Workplace();
    const suite = place.suite({ a: HI }, { scenarios: [{ name: 'a', command: ['no-such-program'] }] });
    await expectOneLine(await measure(place, '', suite), place, 'Scenario a has no program "no-such-program" here');
  });

  test('a suite of which nothing is left', async () => {
    await using place = new Workplace();
    const scenarios = [{ name: 'a', command: ['no-such-program'], optional: true }];
    const run = await measure(place, '', place.suite({ a: HI }, { scenarios }));
    await expectOneLine(run, place, 'Scenario a has no program "no-such-program" here');
  });

  test(
    'a wrong answer: status, media type, body',
    async () => {
      await using place = new Workplace();
      const wrong = "return new Response('Ho', { status: 201, headers: { 'content-type': 'text/html' } })";
      const answers = (answer: object) => place.run([...SHORT, '--suite', place.suite({ a: wrong }, { answer })]);
      await expectOneLine(await answers({}), place, 'expected status 200, received 201');
      const type = await answers({ status: 201, mediaType: 'text/plain' });
      await expectOneLine(type, place, 'expected media type "text/plain", received "text/html"');
      await expectOneLine(await answers({ status: 201, body: 'Hi' }), place, 'expected body "Hi", received "Ho"');
    },
    LIMIT_MS,
  );

  test(
    'one whose port another process holds',
    async () => {
      await using place = new Workplace();
      // A process of another session that nobody asked for would answer in its place.
      place.write(
        'stranger.ts',
        "Bun.serve({ port: Number(process.env.PORT), hostname: '127.0.0.1', fetch: () => new Response('Hi') });",
      );
      const source = `
        const child = Bun.spawn(['setsid', 'bun', 'run', 'stranger.ts'], { stdout: 'ignore', stderr: 'ignore' });
        process.on('SIGTERM', () => { child.kill(); process.exit(); });`;
      await expectOneLine(await measure(place, source), place, 'does not hold port');
    },
    LIMIT_MS,
  );
});

describe('load tools', () => {
  const measureWith = (place: Workplace, bombardier: string) =>
    place.run([...SHORT, '--suite', place.suite({ a: HI }), '--tool', 'bombardier'], { BOMBARDIER: bombardier });

  test('one that is missing', async () => {
    await using place = new Workplace();
    const run = await measureWith(place, '/nope/bombardier');
    await expectOneLine(run, place, 'There is no bombardier on this machine', '$BOMBARDIER');
  });

  test('a $BOMBARDIER that names none is not passed over for another tool', async () => {
    await using place = new Workplace();
    const run = await place.run(['--suite', place.suite({ a: HI })], { BOMBARDIER: '/nope/bombardier' });
    await expectOneLine(run, place, 'There is no bombardier on this machine', 'there is no program /nope/bombardier');
  });

  test('another program of the same name', async () => {
    await using place = new Workplace();
    const game = place.write('game', '#!/bin/sh\necho "Bombardier, the game"\n', 0o755);
    await expectOneLine(await measureWith(place, game), place, 'says "Bombardier, the game"');
  });

  test(
    'one that crashes: with what it said',
    async () => {
      await using place = new Workplace();
      const run = await measureWith(place, place.bombardier('echo out of files >&2; exit 4'));
      await expectOneLine(run, place, 'ended with status 4', 'out of files');
      expect(run.stderr).toContain('Nothing was measured.');
      expect(existsSync(place.path('results'))).toBe(false);
    },
    LIMIT_MS,
  );

  test(
    'one that prints something unexpected',
    async () => {
      await using place = new Workplace();
      const hello = await measureWith(place, place.bombardier('echo hello'));
      await expectOneLine(hello, place, 'printed something unexpected', 'hello');
      await expectOneLine(await measureWith(place, place.bombardier('echo "{}"')), place, 'result');
      await expectOneLine(
        await measureWith(place, place.bombardier('')),
        place,
        'nothing, perhaps because the disk of',
      );
    },
    LIMIT_MS,
  );
});
