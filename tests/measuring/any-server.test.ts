// Whatever listens on PORT is measured, whatever its requests, answers and paths are like.
import { expect } from 'bun:test';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { HI, ON_NODE } from '../../harness/testing/sources.ts';
import { parseTable, sliceSidesOf } from '../support/results.ts';
import { COMPLETE, ROOT, SHORTEST_RUN } from '../support/short-runs.ts';
import { testConcurrently } from '../support/workplace.ts';

testConcurrently(
  'any command that listens on PORT, with a request of any method',
  async (place) => {
    place.write(
      'plain.mjs',
      `import http from 'node:http';
    http.createServer((request, response) => {
      let size = 0;
      request.on('data', (chunk) => { size += chunk.length; });
      request.on('end', () => response.end(String(size)));
    }).listen(Number(process.env.PORT), '127.0.0.1');`,
    );
    const shell = { name: 'sh', command: ['sh', '-c', 'bun run plain.mjs; true'] };
    const scenarios = [
      ...['node', 'bun'].map((name) => ({ name, command: [name, 'plain.mjs'] })),
      shell,
    ];
    // It begins as the option of a load tool does.
    const request = {
      method: 'POST',
      path: '/size',
      headers: { 'content-type': 'text/plain' },
      body: '--abc',
    };
    const suite = place.suite({}, { request, answer: { body: '5' }, baseline: 'node', scenarios });
    const { outcome, stdout, result, warnings } = await place.measure([
      ...SHORTEST_RUN,
      '--suite',
      suite,
    ]);
    expect(outcome).toEqual(COMPLETE);
    expect(parseTable(stdout).rows.sh?.[0]).toMatch(/^[+-]?\d.* ms/);
    const [sh] = result.pairs.filter(({ scenario }) => scenario === 'sh');
    expect(sh?.usage.scenario.probe?.mode).toBe('production');
    expect(sh?.usage.scenario.memoryBytes?.mean).toBeGreaterThan(1e7);
    expect(sh?.alternating[0]?.scenario.cpuNs).toBeGreaterThan(0);
    expect(sh?.seconds.slices).toBeGreaterThan(2);
    expect(result.suite.scenarios.map(({ runtime }) => runtime?.name ?? null)).toEqual([
      'node',
      'bun',
      null,
    ]);
    expect(warnings).toContain('mixed-runtimes');
  },
);

testConcurrently(
  'what is odd and works: a path that is not escaped, a server that is ready late, a timer in the suite',
  async (place) => {
    const isAsked = "new URL(request.url).searchParams.get('q') === 'caffè latte [x]'";
    // The check calls itself what the load tool does.
    const isKnown = "request.headers.get('user-agent') === 'fasthttp'";
    const answer = `return new Response('Hi', { status: ${isAsked} && ${isKnown} && performance.now() > 1_500 ? 200 : 503 })`;
    const { default: suite } = await import(
      place.suite({ a: answer }, { request: { path: '/find?q=caffè latte [x]' } })
    );
    place.write(
      'suite.ts',
      `setInterval(() => {}, 1000);\nexport default ${JSON.stringify(suite)};`,
    );
    const args = [...SHORTEST_RUN, '--tool', 'bombardier', '--suite', './suite.ts'];
    expect((await place.measure(args)).outcome).toEqual(COMPLETE);
  },
);

testConcurrently('requests that wait for 3 s are measured', async (place) => {
  const suite = place.suite({
    a: `const end = performance.now() + 30; while (performance.now() < end); ${HI}`,
  });
  const { outcome, result } = await place.measure([
    ...SHORTEST_RUN,
    '--suite',
    suite,
    '--connections',
    '80',
  ]);
  expect(outcome).toEqual(COMPLETE);
  for (const { latencyUs } of sliceSidesOf(result)) expect(latencyUs?.mean).toBeGreaterThan(1e6);
});

testConcurrently('a version of Node without --import loads the probe', async (place) => {
  place.write('package.json', '{}');
  const add = ['bun', 'add', `node@npm:node-linux-${process.arch}@18.12.1`];
  expect(
    await Bun.spawn(add, { cwd: place.folder, stdio: ['ignore', 'ignore', 'ignore'] }).exited,
  ).toBe(0);
  const suite = place.suiteOfCommand('./node_modules/node/bin/node', '-e', ON_NODE);
  const { outcome, result } = await place.measure([...SHORTEST_RUN, '--suite', suite]);
  expect(outcome).toEqual(COMPLETE);
  expect(result.suite.scenarios[0]?.runtime).toEqual({ name: 'node', version: '18.12.1' });
  expect(result.pairs[0]?.usage.scenario.probe?.mode).toBe('production');
});

testConcurrently(
  'spaces in all paths, and a folder for temporary files that is too long for a socket',
  async (place) => {
    const checkout = place.path('check out');
    for (const name of ['harness', 'package.json'])
      cpSync(join(ROOT, name), join(checkout, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
    const TMPDIR = place.path('x'.repeat(80));
    mkdirSync(TMPDIR);
    const suite = place.suite(
      { base: HI },
      { request: { method: 'POST', bodyFile: 'the body.txt' } },
    );
    place.write('the body.txt', 'hello');
    const args = [...SHORTEST_RUN, '--suite', suite, '--out', place.path('the result.json')];
    const run = await place.run(args, { TMPDIR }, join(checkout, 'harness/cli.ts'));
    expect(run).toMatchObject({ status: 0 });
    expect(parseTable(run.stdout).rows['Baseline against itself']?.[0]).toMatch(/ ms/);
    expect(readdirSync(place.temporary)).toEqual([]);
  },
  'tracetax test ',
);
