// Whole runs with a real load tool, several at a time: none of them depends on the speed of the machine.
import { expect, test } from 'bun:test';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
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
  WHOLE,
  Workplace,
  warningOf,
} from './bench.ts';

test.concurrent(
  'any command that listens on PORT, with a request of any method',
  async () => {
    await using place = new Workplace();
    place.write(
      'plain.mjs',
      `import http from 'node:http';
      http.createServer((request, response) => {
        let size = 0;
        request.on('data', (chunk) => { size += chunk.length; });
        request.on('end', () => response.end(String(size)));
      }).listen(Number(process.env.PORT), '127.0.0.1');`,
    );
    const headers = { 'content-type': 'text/plain' };
    const suite = {
      name: 'mine',
      // It begins as the option of a load tool does.
      request: { method: 'POST', path: '/size', headers, body: '--abc' },
      answer: { body: '5' },
      baseline: 'node',
      scenarios: [
        { name: 'node', title: 'Node', command: ['node', 'plain.mjs'] },
        { name: 'bun', title: 'Bun', command: ['bun', 'plain.mjs'] },
        { name: 'sh', title: 'Behind a shell', command: ['sh', '-c', 'bun run plain.mjs; true'] },
      ],
    };
    const file = place.write('mine.json', JSON.stringify(suite));
    const run = await place.measure([...SHORTEST, '--suite', file]);
    expect(run.outcome).toEqual(WHOLE);
    const { stdout, result, analysis } = run;
    expect(tableIn(stdout).rows['Behind a shell']?.[0]).toMatch(/^[+-]?\d.* ms/);
    const [sh] = result.pairs.filter(({ scenario }) => scenario === 'sh');
    expect(sh?.usage.scenario.probe?.mode).toBe('production');
    expect(sh?.usage.scenario.memoryBytes?.mean).toBeGreaterThan(1e7);
    expect(sh?.alternating[0]?.scenario.cpuNs).toBeGreaterThan(0);
    expect(sh?.seconds.slices).toBeGreaterThan(2);
    expect(result.suite.scenarios.map(({ runtime }) => runtime?.name ?? null)).toEqual(['node', 'bun', null]);
    expect(warningOf(analysis, 'mixed-runtimes')).toBeDefined();
  },
  LIMIT_MS,
);

test.concurrent(
  '--scenarios keeps the baseline; servers see production mode and no variables of OpenTelemetry, and listen on 127.0.0.1 alone',
  async () => {
    await using place = new Workplace();
    const seen = `return Response.json([process.env.NODE_ENV, process.env.OTEL_X ?? null, process.env.OWN, server.hostname])`;
    place.write('seen.ts', server(seen));
    const command = ['bun', 'run', 'seen.ts'];
    const scenarios = ['base', 'one', 'two'].map((name) => ({ name, command, env: { OWN: '1' } }));
    const answer = { body: '["production",null,"1","127.0.0.1"]' };
    const suite = place.suite({}, { baseline: 'base', answer, scenarios });
    const args = [...SHORTEST, '--suite', suite, '--scenarios', 'two', '--no-keep-awake'];
    const run = await place.measure(args, { OTEL_X: '1' });
    expect(run.outcome).toEqual(WHOLE);
    expect(Object.keys(tableIn(run.stdout).rows)).toEqual(['base', 'two', 'Baseline against itself']);
    const { keepAwake, environment, suite: summary } = run.result;
    expect(keepAwake).toEqual({ missing: 'switched off with --no-keep-awake' });
    expect(environment.variables.removed).toContain('OTEL_X');
    expect(summary.tasks[0]?.command.join(' ')).toMatch(/ -c 4 -d 1s .*http:\/\/127\.0\.0\.1:PORT\/$/);
    // It is about the CPU column, which this run has not.
    expect(warningOf(run.analysis, 'cores-asleep')).toBeUndefined();
  },
  LIMIT_MS,
);

test.concurrent(
  'spaces in the paths of the checkout and the suite, and a folder for temporary files that is too long for a socket',
  async () => {
    await using place = new Workplace('tracetax test ');
    const checkout = place.path('check out');
    cpSync(join(ROOT, 'harness'), join(checkout, 'harness'), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(checkout, 'package.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
    const TMPDIR = place.path('x'.repeat(80));
    mkdirSync(TMPDIR);
    const suite = place.suite({ base: HI }, { request: { method: 'POST', bodyFile: 'the body.txt' } });
    place.write('the body.txt', 'hello');
    const args = [...SHORTEST, '--suite', suite, '--out', place.path('the result.json')];
    const run = await finished(place.start(args, { TMPDIR }, join(checkout, 'harness/cli.ts')));
    expect(run).toMatchObject({ status: 0 });
    const report = await place.run(['report', 'the result.json', '--format', 'full']);
    expect(tableIn(report.stdout).rows['Baseline against itself']?.[0]).toMatch(/ ms/);
    expect(readdirSync(place.temporary)).toEqual([]);
  },
  LIMIT_MS,
);

test.concurrent(
  'CPU time of helper processes that come and go is counted',
  async () => {
    await using place = new Workplace();
    const helper = "Bun.spawn(['sh', '-c', 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'])";
    const again = `const next = () => ${helper}.exited.then(next); next();`;
    const suite = place.suite({ base: HI, helped: HI });
    place.write('helped.ts', `${again}\n${server(HI)}`);
    const { result, outcome } = await place.measure([...SHORT, '--suite', suite]);
    // A helper that ends between two readings may be lost: then the pair says so.
    for (const { what } of outcome.faults) expect(what).toBe('a process ended');
    const times = loadedIn(result).map(({ cpuNs }) => cpuNs);
    if (times.includes(null)) expect(outcome.faults).not.toEqual([]);
    if (outcome.faults.length > 0) return;
    // Server and helper share the core, so a request takes far more than the baseline's, however busy the machine is.
    const perRequest = (of: 'baseline' | 'scenario') => {
      const slices = result.pairs
        .filter(({ scenario }) => scenario === 'helped')
        .flatMap(({ alternating }) => alternating);
      const sum = (what: 'cpuNs' | 'requests') => slices.reduce((total, slice) => total + Number(slice[of][what]), 0);
      return sum('cpuNs') / sum('requests');
    };
    expect(perRequest('scenario')).toBeGreaterThan(1.5 * perRequest('baseline'));
    // The helpers of the idle server are in the time of all of it.
    const inSlices = times.reduce<number>((sum, cpuNs) => sum + Number(cpuNs) / 1e9, 0);
    expect(inSlices).toBeGreaterThan(0.7);
    const used = result.pairs.flatMap(({ usage }) => [usage.baseline.cpuUs, usage.scenario.cpuUs]);
    const inAll = used.reduce((sum, own) => sum + (Number(own?.user) + Number(own?.system)) / 1e6, 0);
    expect(inAll).toBeGreaterThan(inSlices);
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
    const run = await place.measure([...shape, '--precision', '5000%', '--suite', suite]);
    expect(run.outcome).toEqual(WHOLE);
    expect(tableIn(run.stdout).rows.burns?.[1]).toMatch(/^\+[\d.]+ ±[\d.]+ µs$/);
    expect(run.analysis.tasks[0]?.rows[0]?.change.cpuUs?.estimate.low).toBeGreaterThan(0);
    expect(run.result.configuration).toMatchObject({ pairs: 3, precision: { value: 5000, unit: '%' } });
    expect(run.result.pairs).toHaveLength(6);
  },
  LIMIT_MS,
);
