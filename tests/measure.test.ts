// Whole runs with a real load tool, several at a time: none of them depends on the speed of the machine.
import { describe, expect, test } from 'bun:test';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  finished,
  HI,
  LIMIT_MS,
  loadedIn,
  ROOT,
  SHORT,
  SHORTEST,
  server,
  tableIn,
  verdictOf,
  WHOLE,
  Workplace,
} from './bench.ts';

describe("a user's own suite", () => {
  const COUNTS_BYTES = `
    import http from 'node:http';
    http.createServer((request, response) => {
      let size = 0;
      request.on('data', (chunk) => { size += chunk.length; });
      request.on('end', () => response.end(String(size)));
    }).listen(Number(process.env.PORT), '127.0.0.1');`;

  test.concurrent(
    'any command that listens on PORT, with a request of any method',
    async () => {
      await using place = new Workplace();
      place.write('plain.mjs', COUNTS_BYTES);
      const headers = { 'content-type': 'text/plain' };
      const suite = {
        name: 'mine',
        // It begins as the option of a load tool does.
        request: { method: 'POST', path: '/size', headers, body: '--abc' },
        answer: { body: '5' },
        baseline: 'node',
        scenarios: [
          { name: 'node', title: 'Node', command: ['node', 'plain.mjs'] },
          { name: 'sh', title: 'Behind a shell', command: ['sh', '-c', 'bun run plain.mjs; true'] },
        ],
      };
      const file = place.write('mine.json', JSON.stringify(suite));
      const run = await place.measure([...SHORTEST, '--suite', file]);
      expect(run.outcome).toEqual(WHOLE);
      const { stdout, result, analysis } = run;
      expect(tableIn(stdout).rows['Behind a shell']?.[0]).toMatch(/^[+-]?\d.* ms/);
      const [sh] = result.pairs.filter(({ scenario }) => scenario === 'sh');
      expect(sh?.usage.baseline?.runtime).toMatchObject({ name: 'node', mode: 'production' });
      expect(sh?.usage.scenario?.runtime).toMatchObject({ name: 'bun', mode: 'production' });
      expect(sh?.alternating[0]?.scenario.cpuNs).toBeGreaterThan(0);
      expect(verdictOf(analysis, 'mixed-runtimes')).toBeDefined();
    },
    LIMIT_MS,
  );

  test.concurrent(
    '--scenarios keeps the baseline; servers see production mode and no variables of OpenTelemetry, and listen on 127.0.0.1 alone',
    async () => {
      await using place = new Workplace();
      const seen = `return Response.json([process.env.NODE_ENV, process.env.OTEL_X ?? null, process.env.OWN, server.hostname])`;
      const suite = place.suite(
        {},
        {
          baseline: 'base',
          answer: { body: '["production",null,"1","127.0.0.1"]' },
          scenarios: ['base', 'one', 'two'].map((name) => ({
            name,
            command: ['bun', 'run', 'seen.ts'],
            env: { OWN: '1' },
          })),
        },
      );
      place.write('seen.ts', server(seen));
      const args = [...SHORTEST, '--suite', suite, '--scenarios', 'two', '--no-keep-awake'];
      const run = await place.measure(args, { OTEL_X: '1' });
      expect(run.outcome).toEqual(WHOLE);
      const { stdout, result, analysis } = run;
      expect(Object.keys(tableIn(stdout).rows)).toEqual(['base', 'two', 'Baseline against itself']);
      expect(result.keepAwake).toEqual({ missing: 'switched off with --no-keep-awake' });
      // It is about the CPU column, which this run has not.
      expect(verdictOf(analysis, 'cores-asleep')).toBeUndefined();
    },
    LIMIT_MS,
  );

  test.concurrent(
    'spaces in the paths of the checkout, the suite and the folder for temporary files',
    async () => {
      await using place = new Workplace('tracetax test ');
      const checkout = place.path('check out');
      cpSync(join(ROOT, 'harness'), join(checkout, 'harness'), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
      const suite = place.suite({ base: HI }, { request: { method: 'POST', bodyFile: 'the body.txt' } });
      place.write('the body.txt', 'hello');
      const args = [...SHORTEST, '--suite', suite, '--out', place.path('the result.json')];
      const run = await finished(place.start(args, {}, join(checkout, 'harness/cli.ts')));
      expect(run).toMatchObject({ status: 0 });
      const report = await place.run(['report', 'the result.json', '--format', 'full']);
      expect(tableIn(report.stdout).rows['Baseline against itself']?.[0]).toMatch(/ ms/);
      // What the probe tells.
      expect(report.stdout).toContain('RSS mean');
      expect(readdirSync(place.temporary)).toEqual([]);
    },
    LIMIT_MS,
  );

  test.concurrent(
    'a folder for temporary files whose path is too long for a socket',
    async () => {
      await using place = new Workplace();
      const TMPDIR = place.path('x'.repeat(80));
      mkdirSync(TMPDIR);
      place.write('plain.mjs', COUNTS_BYTES);
      const scenarios = [{ name: 'node', command: ['node', 'plain.mjs'] }];
      const suite = place.suite({ node: HI }, { answer: { body: '0' }, scenarios });
      const run = await place.measure([...SHORTEST, '--suite', suite], { TMPDIR });
      expect(run.outcome).toEqual(WHOLE);
      expect(run.result.pairs[0]?.usage.baseline).not.toBeNull();
    },
    LIMIT_MS,
  );
});

test.concurrent(
  'the classic run, one long slice of each and no duets: what was not measured is left out of the tables',
  async () => {
    await using place = new Workplace();
    const suite = place.suite({ base: HI });
    const classic = [...SHORT, '--slice', '2s', '--duration', '2s', '--duet-slices', '0'];
    const run = await place.measure([...classic, '--suite', suite, '--format', 'full']);
    expect(run.outcome).toEqual(WHOLE);
    expect(tableIn(run.stdout).headings).toEqual(['Test', 'Change per request', 'Throughput']);
    expect(run.stdout).not.toMatch(/Server CPU per request|NaN|undefined|Infinity/);
    const [pair] = run.result.pairs;
    expect(pair).toMatchObject({ sliceSeconds: 2, duets: [], warmUp: { isSteady: false } });
    expect(pair?.alternating.map(({ baseline }) => Math.round(baseline.seconds))).toEqual([2]);
  },
  LIMIT_MS,
);

test.concurrent(
  'a slow server gets longer slices, so that each has answers enough',
  async () => {
    await using place = new Workplace();
    const suite = place.suite({ slow: `await Bun.sleep(30); ${HI}` });
    const args = [...SHORTEST, '--warmup', '1s', '--connections', '8', '--suite', suite];
    const run = await place.measure(args);
    expect(run.outcome).toEqual(WHOLE);
    const { stdout, result } = run;
    expect(stdout).not.toContain('no request was answered');
    const [pair] = result.pairs;
    expect(pair?.sliceSeconds).toBeGreaterThan(1);
    expect(pair?.sliceSeconds).toBeLessThan(30);
    expect(pair?.alternating[0]?.baseline.requests).toBeGreaterThan(100);
    expect(pair?.command.join(' ')).toContain(`-d ${pair?.sliceSeconds}s`);
  },
  LIMIT_MS,
);

test.concurrent(
  'short requests warm up the servers of another task',
  async () => {
    await using place = new Workplace();
    // After the checks of its answers, it answers a long request only if a short one came before.
    const handler = `
      const isShort = request.url.endsWith('/short');
      state.isWarm ||= isShort && state.isChecked;
      if (!isShort && !state.isWarm && state.isChecked) return new Response('cold', { status: 500 });
      state.isChecked ||= isShort;
      ${HI}`;
    const task = (name: string) => ({ name, exchanges: [{ request: { path: `/${name}` }, answer: { body: 'Hi' } }] });
    const suite = place.suite(
      { plain: handler },
      { tasks: [task('short'), task('long')], answer: undefined, warmUp: 'short' },
    );
    const args = [...SHORTEST, '--warmup', '2s', '--endpoints', 'long', '--suite', suite];
    const run = await place.measure(args);
    expect(run.outcome).toEqual(WHOLE);
  },
  LIMIT_MS,
);

test.concurrent(
  'CPU time of helper processes that come and go is counted',
  async () => {
    await using place = new Workplace();
    const helper = "Bun.spawn(['sh', '-c', 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'])";
    const again = `const next = () => ${helper}.exited.then(next); next();`;
    const suite = place.suite({ helped: HI });
    place.write('helped.ts', `${again}\n${server(HI)}`);
    const { result } = await place.measure([...SHORT, '--suite', suite]);
    const faults = result.pairs.flatMap(({ invalid }) => invalid);
    // A helper that ends between two readings may be lost: then the pair says so.
    for (const fault of faults) expect(fault).toContain('a helper process ended, and its CPU time is lost');
    const times = loadedIn(result).map(({ cpuNs }) => cpuNs);
    if (times.includes(null)) expect(faults).not.toEqual([]);
    if (faults.length > 0) return;
    // Far more than the servers used themselves, by their own count.
    const ownUs = result.pairs
      .flatMap(({ usage }) => [usage.baseline, usage.scenario])
      .reduce((sum, own) => sum + Number(own?.cpuUserUs) + Number(own?.cpuSystemUs), 0);
    expect(times.reduce<number>((sum, cpuNs) => sum + Number(cpuNs) / 1e3, 0)).toBeGreaterThan(1.5 * ownUs);
  },
  LIMIT_MS,
);

const { BOMBARDIER } = process.env;
test.skipIf(!BOMBARDIER && !Bun.which('bombardier')).concurrent(
  'with the real bombardier',
  async () => {
    await using place = new Workplace();
    const suite = place.suite({ base: HI, slow: `await Bun.sleep(2); ${HI}` });
    const args = [...SHORTEST, '--tool', 'bombardier', '--suite', suite];
    const run = await place.measure(args);
    expect(run.outcome).toEqual(WHOLE);
    const { stdout, result } = run;
    expect(result.tool.name).toBe('bombardier');
    expect(result.pairs[0]?.command.join(' ')).toContain(
      `${basename(BOMBARDIER || 'bombardier')} --fasthttp -c 4 -d 1s`,
    );
    expect(tableIn(stdout).rows.slow?.[0]).toMatch(/^\+[1-9]/);
  },
  LIMIT_MS,
);

// Alone: with three pairs the interval needs some quiet.
test(
  'a cost of 50 µs shows, with its interval; pairs enough for --precision are not added to',
  async () => {
    await using place = new Workplace();
    const burn = 'const end = performance.now() + 0.05; while (performance.now() < end);';
    const suite = place.suite({ base: HI, burns: `${burn} ${HI}` });
    const shape = [...SHORT, '--pairs', '3', '--duration', '3s', '--warmup', '1s', '--connections', '8'];
    const args = [...shape, '--precision', '5000%', '--suite', suite];
    const run = await place.measure(args);
    expect(run.outcome).toEqual(WHOLE);
    const { stdout, result, analysis } = run;
    expect(tableIn(stdout).rows.burns?.[1]).toMatch(/^\+[\d.]+ µs ±[\d.]+$/);
    expect(analysis.tasks[0]?.rows[0]?.change.cpuUs?.estimate.low).toBeGreaterThan(0);
    expect(result.configuration).toMatchObject({ pairs: 3, precision: { value: 5000, unit: '%' } });
    expect(result.pairs.map(({ scenario }) => scenario).sort()).toEqual([
      ...['base', 'base', 'base'],
      ...['burns', 'burns', 'burns'],
    ]);
  },
  LIMIT_MS,
);
