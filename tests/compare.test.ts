import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { readResult } from '../harness/results/file.ts';
import { duetSummary } from '../harness/stats/duet.ts';
import { bench, finished, HI, SHORT, Workplace } from './bench.ts';

const LIMIT_MS = 60_000;

test(
  'the five levels, compared for real: table, result file, and the table again from the file',
  async () => {
    using place = new Workplace();
    const out = place.path('levels.json');
    const run = await finished(bench([...SHORT, '--seed', '5', '--out', out]));
    expect(run.stderr).toContain(`The result is in ${out}`);
    expect(run.status).toBe(0);
    const rows = run.stdout.split('\n').filter((line) => /ms +\|$/.test(line));
    expect(rows.length).toBe(5);

    const result = readResult(out);
    expect(result).toMatchObject({ stoppedBy: null, configuration: { seed: 5, connections: 4, rounds: 1 } });
    expect(result.environment.packages).toHaveProperty('@opentelemetry/sdk-trace-base');
    for (const { command, load, output } of result.soloRounds[0]?.measurements ?? []) {
      expect(command.join(' ')).toContain(result.tool.name);
      expect(load.requests).toBeGreaterThan(100);
      expect(output.length).toBeGreaterThan(100);
    }
    const ports = result.soloRounds[0]?.measurements.map(({ command }) =>
      command.find((word) => word.includes('://')),
    );
    expect(new Set(ports).size).toBe(5);

    const again = await finished(bench(['report', out]));
    expect(again.stdout).toBe(run.stdout);
    const json = await finished(bench(['report', out, '--format', 'json']));
    expect(JSON.parse(json.stdout)).toEqual(JSON.parse(JSON.stringify(result)));
  },
  LIMIT_MS,
);

describe("a user's own suite", () => {
  test(
    'any command that listens on PORT, with a request of any method',
    async () => {
      using place = new Workplace();
      place.write(
        'plain.mjs',
        "import http from 'node:http'; http.createServer((q, s) => { let n = 0; q.on('data', (c) => { n += c.length; }); q.on('end', () => s.end(String(n))); }).listen(Number(process.env.PORT), '127.0.0.1');",
      );
      const suite = place.write(
        'suite.json',
        JSON.stringify({
          name: 'mine',
          request: {
            method: 'POST',
            path: '/size',
            headers: { 'content-type': 'text/plain' },
            body: 'hello',
          },
          answer: { body: '5' },
          baseline: 'node',
          scenarios: [
            { name: 'node', title: 'Node', command: ['node', 'plain.mjs'] },
            { name: 'sh', title: 'Behind a shell', command: ['sh', '-c', 'bun run plain.mjs; true'] },
          ],
        }),
      );
      const run = await finished(bench([...SHORT, '--suite', suite, '--out', place.path('out.json')]));
      expect(run.stderr).not.toContain('tracetax:');
      expect(run.stdout).toMatch(/\| Behind a shell( †)? +\| +[+-]\d/);
      expect(run.status).toBe(0);
    },
    LIMIT_MS,
  );

  test(
    '--scenarios keeps the baseline; the servers run in production mode without variables of OpenTelemetry',
    async () => {
      using place = new Workplace();
      const env =
        'return new Response(JSON.stringify([process.env.NODE_ENV, process.env.OTEL_X ?? null, process.env.MINE ?? null]))';
      const suite = place.suite(
        { base: env, one: env, two: env },
        { answer: { body: '["production",null,null]' } },
      );
      const run = await finished(
        bench(
          [
            ...SHORT,
            '--suite',
            suite,
            '--scenarios',
            'two',
            '--format',
            'full',
            '--out',
            place.path('o.json'),
          ],
          { OTEL_X: '1' },
        ),
      );
      expect(run.status).toBe(0);
      expect(run.stdout).toContain('### base');
      expect(run.stdout).toContain('### two');
      expect(run.stdout).not.toContain('### one');
    },
    LIMIT_MS,
  );
});

test('--dry-run prints commands that work when pasted, and runs none', async () => {
  using place = new Workplace();
  const suite = place.suite({ 'a-b': HI });
  const run = await finished(
    bench(['--suite', suite, '--dry-run', '--tool', 'autocannon', '--connections', '7']),
  );
  expect(run.status).toBe(0);
  const commands = run.stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(commands[0]).toContain(`cd ${place.folder} && PORT=3000 NODE_ENV=production`);
  expect(commands[0]).toContain('bun run a-b.ts');
  expect(commands.at(-1)).toContain('-c 4 -d 1 --json http://127.0.0.1:3001/');
  expect(run.stdout).toContain('-c 7 -d 30 --json http://127.0.0.1:3000/');
  for (const command of commands) expect(Bun.spawnSync(['sh', '-n', '-c', command]).exitCode).toBe(0);
  expect(readdirSync(place.folder).sort()).toEqual(['a-b.ts', 'suite.json']);
});

const { BOMBARDIER } = process.env;
test.skipIf(!BOMBARDIER)(
  'with the real bombardier',
  async () => {
    using place = new Workplace();
    const out = place.path('out.json');
    const suite = place.suite({ base: HI, slow: `await Bun.sleep(2); ${HI}` });
    const run = await finished(bench([...SHORT, '--suite', suite, '--tool', 'bombardier', '--out', out]));
    expect(run.status).toBe(0);
    const result = readResult(out);
    const [first] = result.soloRounds[0]?.measurements ?? [];
    expect(first?.command.join(' ')).toContain(`${basename(BOMBARDIER as string)} --fasthttp -c 4 -d 1s`);
    expect(run.stdout).toMatch(/\| slow( †)? +\| +\+[1-9]/);
    expect(run.stdout).not.toContain('in place of bombardier');
    expect(existsSync(out)).toBe(true);
  },
  LIMIT_MS,
);

test(
  'duets: server CPU per request with intervals, the noise floor, and a cost that is really there',
  async () => {
    using place = new Workplace();
    const out = place.path('out.json');
    const burn = 'const end = performance.now() + 0.05; while (performance.now() < end);';
    const suite = place.suite({ base: HI, burns: `${burn} ${HI}` });
    const short = ['--duet-only', '--forks', '3', '--slices', '1', '--warmup', '1s', '--connections', '8'];
    const run = await finished(bench([...short, '--suite', suite, '--out', out]));
    expect(run.status).toBe(0);
    expect(run.stdout).toMatch(/\| Test +\| +Server CPU per request \|/);
    expect(run.stdout).toMatch(/\| burns +\| \+\d+\.\d µs \(\+/);
    expect(run.stdout).toMatch(/Noise floor \(baseline against itself\) \| +±\d/);

    const { duetForks, soloRounds } = readResult(out);
    expect(soloRounds).toEqual([]);
    expect(duetForks.map(({ scenario }) => scenario).sort()).toEqual([
      'base',
      'base',
      'base',
      'burns',
      'burns',
      'burns',
    ]);
    for (const { slices } of duetForks) {
      expect(slices.length).toBe(1);
      for (const { cpuNs, load } of slices.flatMap(({ baseline, scenario }) => [baseline, scenario])) {
        expect(cpuNs / 1_000 / load.requests).toBeGreaterThan(1);
      }
    }
    // The loop waits for 50 µs of real time, which is more CPU time than the whole of an empty answer.
    expect(duetSummary(readResult(out)).rows[0]?.estimate?.ratio).toBeGreaterThan(1.5);
  },
  LIMIT_MS,
);

test(
  'a duet in which one server fails is invalid as a whole, and says why',
  async () => {
    using place = new Workplace();
    const dies = `state.n = (state.n ?? 0) + 1; if (state.n > 2000) process.exit(9); ${HI}`;
    const short = ['--duet-only', '--forks', '1', '--slices', '2', '--warmup', '0s', '--connections', '4'];
    const run = await finished(
      bench([...short, '--suite', place.suite({ base: HI, dies }), '--out', place.path('o.json')]),
    );
    expect(run.status).toBe(1);
    expect(run.stdout).toMatch(/\| dies +\| +invalid \|/);
    expect(run.stdout).toContain('dies: the server ended with status 9 under load');
  },
  LIMIT_MS,
);

test(
  '--precision adds forks until the intervals are that narrow, or says that they are not',
  async () => {
    using place = new Workplace();
    const out = place.path('out.json');
    const suite = place.suite({ base: HI });
    const short = ['--duet-only', '--forks', '3', '--slices', '1', '--warmup', '0s', '--connections', '4'];
    const never = ['--precision', '0.000001us', '--max-time', '8s'];
    const run = await finished(bench([...short, ...never, '--suite', suite, '--out', out]));
    expect(run.status).toBe(0);
    expect(run.stdout).toContain('Not as narrow as ± 0.000001 µs when the time was up: base.');
    expect(readResult(out).duetForks.length).toBeGreaterThan(3);
    const soon = await finished(
      bench([...short, '--precision', '500%', '--suite', suite, '--out', place.path('two.json')]),
    );
    expect(soon.stdout).toContain('Every interval is as narrow as asked for: ± 500 %.');
  },
  LIMIT_MS,
);

test(
  'calibrate prints true against measured cost',
  async () => {
    using place = new Workplace();
    const short = ['--forks', '1', '--slices', '1', '--warmup', '0s', '--connections', '4'];
    const run = await finished(bench(['calibrate', ...short, '--out', place.path('out.json')]));
    expect(run.status).toBe(0);
    expect(run.stdout).toMatch(/\| True extra cost \| +Measured \|/);
    for (const us of ['0.00', '2.00', '10.0', '40.0'])
      expect(run.stdout).toMatch(new RegExp(`\\| +${us} µs \\| +[+-]\\d`));
    expect(run.stdout).toContain('of 4 intervals cover the truth');
  },
  LIMIT_MS,
);
