import { afterAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { readResult } from '../harness/results/file.ts';
import { bench, type Finished, finished, HI, processesWith, SHORT, Workplace } from './bench.ts';

const LIMIT_MS = 60_000;

/** Exit status not 0, one line for the user, no stack trace, no process left behind. */
function expectOneLine({ status, stderr }: Finished, place: Workplace, ...words: string[]): void {
  expect(status).not.toBe(0);
  const lines = stderr.split('\n').filter((line) => /^(tracetax|error): /.test(line));
  expect(lines.length).toBe(1);
  for (const word of words) expect(lines[0]).toContain(word);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(processesWith(place.folder)).toEqual([]);
}

const place = new Workplace();
afterAll(() => place[Symbol.dispose]());
const call = (...args: string[]) => finished(bench(args));
let files = 0;
const out = () => place.path(`out-${files++}.json`);

describe('what is asked for is not there', () => {
  const cases: [string, string[], string[]][] = [
    ['suite', ['--suite', 'nope'], ['There is no suite "nope"', 'levels']],
    ['suite file', ['--suite', './nope.json'], ['no suite file', 'nope.json']],
    ['scenario', ['--scenarios', 'nope'], ['no scenario "nope"', 'trace-active']],
    ['tool', ['--tool', 'ab'], ['ab', 'autocannon']],
    ['format', ['--format', 'pdf'], ['pdf', 'docs']],
    ['option', ['--round', '3'], ["unknown option '--round'"]],
    ['number', ['--rounds', 'three'], ['three', 'whole number']],
    ['negative number', ['--connections', '0'], ['0', 'whole number from 1']],
    ['length of time', ['--duration', '0.5s'], ['0.5s', 'whole seconds']],
    ['result', ['report', '/nope.json'], ['/nope.json', "can't be read"]],
  ];
  test.each(cases)('unknown %s', async (_, args, words) => {
    expectOneLine(await call(...args), place, ...words);
  });
});

describe('files', () => {
  const suiteFile = (content: string) => {
    const file = place.path(`suite-${files++}.json`);
    writeFileSync(file, content);
    return file;
  };

  test('a suite that does not fit its schema: every wrong field is named', async () => {
    const broken = {
      name: 'x',
      baseline: 'b',
      answer: { status: 404 },
      scenarios: [{ name: 'a', command: 'bun run a.ts' }],
    };
    const run = await call('--suite', suiteFile(JSON.stringify(broken)));
    expectOneLine(run, place, 'answer.status', 'scenarios[0].command', 'docs/suites.md');
  });

  test('a baseline that is no scenario, and a misspelt field', async () => {
    const scenarios = [{ name: 'a', command: ['true'] }];
    expectOneLine(
      await call('--suite', suiteFile(JSON.stringify({ name: 'x', baseline: 'b', scenarios }))),
      place,
      'baseline',
      '"b" is none of the scenarios (a)',
    );
    const misspelt = { name: 'x', baseline: 'a', scenarios, anwser: {} };
    expectOneLine(await call('--suite', suiteFile(JSON.stringify(misspelt))), place, 'anwser');
  });

  test('a suite that is not JSON', async () => {
    expectOneLine(await call('--suite', suiteFile('{')), place, "can't be read");
  });

  test('a foreign result, one of another version, and one that is no JSON', async () => {
    expectOneLine(
      await call('report', suiteFile('{"a":1}')),
      place,
      'is not a result of tracetax',
      'schemaVersion',
    );
    expectOneLine(await call('report', suiteFile('{"schemaVersion":999}')), place, 'schema version 999');
    expectOneLine(await call('report', suiteFile('hello')), place, 'is not JSON');
  });

  test('a result that is there already is not written over', async () => {
    const file = suiteFile('precious');
    expectOneLine(await call('--suite', place.suite({ a: HI }), '--out', file), place, 'is there already');
    expect(await Bun.file(file).text()).toBe('precious');
  });

  test('a place that can not be written to is found before anything is measured', async () => {
    const run = await call('--suite', place.suite({ a: HI }), '--out', '/proc/nope.json');
    expectOneLine(run, place, "can't be written", '--out');
  });
});

describe('servers', () => {
  const measure = (suite: string, ...more: string[]) =>
    call(...SHORT, '--suite', suite, '--out', out(), ...more);

  test(
    'one that ends before it listens: with the end of its stderr',
    async () => {
      const suite = place.suite({ a: HI });
      place.write('a.ts', "console.error('no database');\nprocess.exit(3);");
      expectOneLine(await measure(suite), place, 'scenario a', 'status 3', 'no database');
    },
    LIMIT_MS,
  );

  test(
    'one that throws',
    async () => {
      const suite = place.suite({ a: HI });
      place.write('a.ts', "throw new Error('boom');");
      expectOneLine(await measure(suite), place, 'scenario a', 'boom');
    },
    LIMIT_MS,
  );

  test(
    'one that does not listen within 10 s',
    async () => {
      const suite = place.suite({ a: HI });
      place.write('a.ts', "console.error('thinking');\nsetInterval(() => {}, 1000);");
      expectOneLine(await measure(suite), place, 'does not listen on 127.0.0.1:', '10 s', 'thinking');
    },
    LIMIT_MS,
  );

  test('a program that is not there', async () => {
    const scenarios = [{ name: 'a', command: ['no-such-program'] }];
    expectOneLine(
      await measure(place.suite({ a: HI }, { scenarios })),
      place,
      'there is no program "no-such-program"',
    );
  });

  test(
    'a wrong answer: status, media type, body',
    async () => {
      const wrong = {
        a: "return new Response('Ho', { status: 201, headers: { 'content-type': 'text/html' } })",
      };
      expectOneLine(await measure(place.suite(wrong)), place, 'expected status 200, received 201');
      const answer = (more: object) => ({ answer: { status: 201, ...more } });
      expectOneLine(
        await measure(place.suite(wrong, answer({ mediaType: 'text/plain' }))),
        place,
        'expected media type "text/plain", received "text/html"',
      );
      expectOneLine(
        await measure(place.suite(wrong, answer({ body: 'Hi' }))),
        place,
        'expected body "Hi", received "Ho"',
      );
    },
    LIMIT_MS,
  );

  test(
    'one whose port another process holds as well',
    async () => {
      const suite = place.suite({ a: HI });
      // Listens on every address and starts a process of another session that is more specific, and would answer.
      place.write(
        'stranger.ts',
        "Bun.serve({ port: Number(process.env.PORT), hostname: '127.0.0.1', fetch: () => new Response('Hi') });",
      );
      place.write(
        'a.ts',
        "const child = Bun.spawn(['setsid', 'bun', 'run', 'stranger.ts'], { stdout: 'ignore', stderr: 'ignore' });\n" +
          "process.on('SIGTERM', () => { child.kill(); process.exit(); });",
      );
      expectOneLine(await measure(suite), place, 'does not hold port');
    },
    LIMIT_MS,
  );

  test(
    'answers that turn bad under load: invalid, never a number, the other rows stay',
    async () => {
      const suite = place.suite({
        a: HI,
        b: `state.n = (state.n ?? 0) + 1; return new Response('Hi', { status: state.n > 50 ? 500 : 200 })`,
      });
      const run = await measure(suite);
      expect(run.status).toBe(1);
      expect(run.stdout).toMatch(/\| a( †)? +\| +\d\S* ms/);
      expect(run.stdout).toMatch(/\| b +\| +invalid/);
      expect(run.stdout).toMatch(/b is invalid, round 1: \d+ x status/);
    },
    LIMIT_MS,
  );

  test(
    'one that dies under load: invalid',
    async () => {
      const suite = place.suite({
        a: HI,
        b: `state.n = (state.n ?? 0) + 1; if (state.n > 500) process.exit(9); ${HI}`,
      });
      const run = await measure(suite);
      expect(run.status).toBe(1);
      expect(run.stdout).toMatch(/\| b +\| +invalid/);
      expect(run.stdout).toContain('the server ended with status 9 under load');
    },
    LIMIT_MS,
  );

  test(
    'one that writes without end to its stdout is not stalled',
    async () => {
      const file = out();
      const chatty = { a: HI, b: `console.log('x'.repeat(2000)); ${HI}` };
      const run = await call(...SHORT, '--suite', place.suite(chatty), '--out', file);
      expect(run.status).toBe(0);
      const chattyLoad = readResult(file).soloRounds[0]?.measurements.find(
        ({ scenario }) => scenario === 'b',
      )?.load;
      // A pipe of 64 KiB would be full after 33 requests.
      expect(chattyLoad?.requests).toBeGreaterThan(200);
    },
    LIMIT_MS,
  );
});

describe('load tools', () => {
  const fakeBombardier = (script: string) =>
    place.write(
      `bombardier-${files++}`,
      `#!/bin/sh\nif [ "$1" = --version ]; then echo 'bombardier version v0 test'; exit; fi\n${script}\n`,
      0o755,
    );
  const measureWith = (bombardier: string) =>
    finished(
      bench([...SHORT, '--suite', place.suite({ a: HI }), '--tool', 'bombardier', '--out', out()], {
        BOMBARDIER: bombardier,
      }),
    );

  test('one that is missing', async () => {
    expectOneLine(
      await measureWith('/nope/bombardier'),
      place,
      'bombardier is not on this machine',
      '$BOMBARDIER',
    );
  });

  test('a $BOMBARDIER that names none is not passed over for another tool', async () => {
    const run = await finished(
      bench(['--suite', place.suite({ a: HI }), '--out', out()], { BOMBARDIER: '/nope/bombardier' }),
    );
    expectOneLine(run, place, 'bombardier is not on this machine', '/nope/bombardier');
  });

  test('another program of the same name', async () => {
    const game = place.write('game', '#!/bin/sh\necho "Bombardier, the game"\n', 0o755);
    expectOneLine(await measureWith(game), place, 'is not that program');
  });

  test(
    'one that crashes: with what it said',
    async () => {
      expectOneLine(
        await measureWith(fakeBombardier('echo out of files >&2; exit 4')),
        place,
        'ended with status 4',
        'out of files',
      );
    },
    LIMIT_MS,
  );

  test(
    'one that prints something unexpected',
    async () => {
      expectOneLine(
        await measureWith(fakeBombardier('echo hello')),
        place,
        'printed something unexpected',
        'hello',
      );
      expectOneLine(await measureWith(fakeBombardier('echo "{}"')), place, 'result');
    },
    LIMIT_MS,
  );

  test(
    'one whose every request was refused, and that reports a latency all the same: invalid',
    async () => {
      const recording = `${import.meta.dir}/../harness/load/fixtures/bombardier-refused.json`;
      const run = await measureWith(fakeBombardier(`cat ${recording}`));
      expect(run.status).toBe(1);
      expect(run.stdout).toMatch(/\| a +\| +invalid/);
      expect(run.stdout).toContain('28688 x refused');
    },
    LIMIT_MS,
  );
});
