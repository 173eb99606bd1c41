// `explain` from end to end, on servers whose cost lies in known places. None of it depends on the speed of the machine.
import { expect, test } from 'bun:test';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { sum } from 'simple-statistics';
import type { Explanation } from '../harness/explain/explanation.ts';
import type { Result, Task } from '../harness/result/schema.ts';
import { HI, LIMIT_MS, ROOT, SHORT, tableIn, Workplace } from './bench.ts';

/** An explanation of servers with known costs in two packages, and its profiles. */
const EXPLAINED = join(ROOT, 'results/explain-packages-epyc-2core');
const PACKAGES = join(ROOT, 'suites/calibration/packages/suite.ts');

test.concurrent(
  'a cost in two packages is found there, and all parts sum to what was measured; again from the files',
  async () => {
    await using place = new Workplace();
    const page = place.path('page.html');
    const args = ['explain', 'both', '--html', page, '--pprof', place.path('both.pb.gz')];
    const run = await place.run([...args, '--suite', PACKAGES, ...SHORT]);
    expect(run).toMatchObject({ status: 0 });
    const { headings, rows } = tableIn(run.stdout);
    expect(headings.slice(0, 2)).toEqual(['CPU per request', 'Baseline']);
    expect(Object.keys(rows)).toContainValues(['package-a', 'package-b', 'hono', 'measured']);

    const again = await place.run(['explain', 'both', '--from', 'out.json']);
    expect(again).toEqual({ status: 0, stdout: run.stdout, stderr: '' });
    const json = await place.run(['explain', 'both', '--from', 'out.json', '--format', 'json']);
    const [explanation] = JSON.parse(json.stdout) as [Explanation];
    const { parts, measured } = explanation;
    const [first, second] = parts;
    expect([first?.where, second?.where].sort()).toEqual(['package-a', 'package-b']);
    expect([first?.us.baseline, second?.us.baseline]).toEqual([0, 0]);
    expect(sum(parts.map(({ us }) => us.scenario))).toBeCloseTo(measured.us.scenario, 6);
    expect(parts.some(({ where }) => /^thread thread$|ProfEvnt/.test(where))).toBe(false);

    expect(readFileSync(page, 'utf8')).toMatch(/^<!doctype html>/);
    for (const name of ['both.pb.gz', 'both.pb.gz.baseline']) expect(existsSync(place.path(name))).toBe(true);
    expect(readdirSync(place.path('out.profiles')).sort()).toEqual([
      '1-both-baseline.cpuprofile',
      '1-both-scenario.cpuprofile',
    ]);
    expect(readdirSync(place.temporary)).toEqual([]);
  },
  LIMIT_MS,
);

test.concurrent(
  'Node is explained in the same way',
  async () => {
    await using place = new Workplace();
    mkdirSync(place.path('node_modules/burner'), { recursive: true });
    place.write(
      'node_modules/burner/index.js',
      'const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2)); exports.burn = () => fib(18);',
    );
    const server = (work: string) => `
      const { burn } = require('burner');
      require('node:http').createServer((request, response) => { ${work} response.end('Hi'); }).listen(process.env.PORT, '127.0.0.1');`;
    place.write('base.cjs', server(''));
    place.write('burns.cjs', server('globalThis.kept = burn();'));
    const scenarios = ['base', 'burns'].map((name) => ({ name, command: ['node', `${name}.cjs`] }));
    const suite = place.suite({}, { baseline: 'base', scenarios });
    const run = await place.run(['explain', 'burns', '--suite', suite, ...SHORT, '--format', 'json']);
    expect(run).toMatchObject({ status: 0 });
    const [{ parts }] = JSON.parse(run.stdout) as [Explanation];
    expect(parts.find(({ where }) => where === 'burner')).toMatchObject({ us: { baseline: 0 } });
    expect(parts.some(({ where }) => /ProfEvnt/.test(where))).toBe(false);
  },
  LIMIT_MS,
);

test.concurrent(
  'what can not be profiled costs no measurement, and is said in one line',
  async () => {
    await using place = new Workplace();
    const python = ['sh', '-c', 'exec python3 server.py'];
    place.write(
      'server.py',
      `
import http.server, os
class Handler(http.server.BaseHTTPRequestHandler):
  protocol_version = 'HTTP/1.1'
  def log_message(self, *args): pass
  def do_GET(self):
    self.send_response(200); self.send_header('content-length', '2'); self.end_headers(); self.wfile.write(b'Hi')
http.server.ThreadingHTTPServer(('127.0.0.1', int(os.environ['PORT'])), Handler).serve_forever()`,
    );
    if (!Bun.which('python3')) return;
    const suite = place.suite(
      { base: HI },
      {
        scenarios: [
          { name: 'base', command: python },
          { name: 'other', command: python },
        ],
      },
    );
    const run = await place.run(['explain', '--suite', suite, ...SHORT]);
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/^tracetax: The server can't be profiled: [^\n]*$/m);
    expect(Object.keys(tableIn(run.stdout).rows)).toContain('other');
    expect(existsSync(place.path('out.json'))).toBe(true);
  },
  LIMIT_MS,
);

test.concurrent(
  'bad input: one line',
  async () => {
    await using place = new Workplace();
    const refuses = async (words: string, ...args: string[]) => {
      const { status, stdout, stderr } = await place.run(['explain', ...args]);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(/^tracetax: [^\n]*\n$/);
      expect(stderr).toContain(words);
    };
    await refuses('has no scenario "nope"', 'nope');
    await refuses('A baseline has no cost', 'base', '--suite', place.suite({ base: HI, other: HI }));
    await refuses("can't be read", 'both', '--from', 'nope.json');
    cpSync(`${EXPLAINED}.json`, place.path('plain.json'));
    await refuses('There is no scenario nope to explain', 'nope', '--from', 'plain.json');
    await refuses('has no profiles', 'both', '--from', 'plain.json');
    mkdirSync(place.path('earlier.profiles'));
    await refuses('earlier.profiles exists already', '--out', 'earlier.json');

    cpSync(`${EXPLAINED}.json`, place.path('cut.json'));
    cpSync(`${EXPLAINED}.profiles`, place.path('cut.profiles'), { recursive: true });
    const [first = ''] = readdirSync(place.path('cut.profiles'));
    truncateSync(join(place.path('cut.profiles'), first), 1_000);
    await refuses('is cut short', 'both', '--from', 'cut.json');
  },
  LIMIT_MS,
);

test('of several tasks, each table says of which it is; --endpoints chooses among them', async () => {
  await using place = new Workplace();
  const result: Result = JSON.parse(readFileSync(`${EXPLAINED}.json`, 'utf8'));
  const [task] = result.suite.tasks;
  result.suite.tasks.push({ ...task, name: 'post', title: 'POST' } as Task);
  result.pairs.push(...result.pairs.map((pair) => ({ ...pair, task: 'post' })));
  place.write('two.json', JSON.stringify(result));
  mkdirSync(place.path('two.profiles'));
  for (const name of readdirSync(`${EXPLAINED}.profiles`)) {
    const profile = readFileSync(join(`${EXPLAINED}.profiles`, name), 'utf8');
    place.write(`two.profiles/${name}`, profile);
    place.write(`two.profiles/1${name}`, profile.replace(`"task":"${task?.name}"`, '"task":"post"'));
  }
  const { stdout } = await place.run(['explain', 'both', '--from', 'two.json']);
  const heads = stdout.split('\n').filter((line) => line.startsWith('| CPU per request'));
  expect(heads).toEqual([
    expect.stringContaining(`| ${task?.title}: 5 µs in`),
    expect.stringContaining('| POST: 5 µs'),
  ]);
  const asPprof = ['explain', 'both', '--from', 'two.json', '--pprof', place.path('post.pb.gz')];
  const both = await place.run(asPprof);
  expect(both).toMatchObject({ status: 2, stderr: expect.stringContaining('--endpoints TASK') });
  const post = await place.run([...asPprof, '--endpoints', 'post']);
  expect(post).toMatchObject({ status: 0, stdout: expect.not.stringContaining('POST') });
  expect(existsSync(place.path('post.pb.gz'))).toBe(true);
});

test('a row that can not be explained does not keep the others from it', async () => {
  await using place = new Workplace();
  const result: Result = JSON.parse(readFileSync(`${EXPLAINED}.json`, 'utf8'));
  const [task] = result.suite.tasks;
  result.suite.tasks.push({ ...task, name: 'post', title: 'POST' } as Task);
  result.pairs.push(...result.pairs.map((pair) => ({ ...pair, task: 'post' })));
  place.write('two.json', JSON.stringify(result));
  cpSync(`${EXPLAINED}.profiles`, place.path('two.profiles'), { recursive: true });
  const { status, stdout, stderr } = await place.run(['explain', 'both', '--from', 'two.json']);
  expect(status).toBe(1);
  expect(Object.keys(tableIn(stdout).rows)).toContain('measured');
  expect(stderr).toMatch(/^tracetax: [^\n]*has no profiles of both[^\n]*\n$/);
});

test('what can not be written costs nothing that was to be printed', async () => {
  await using place = new Workplace();
  const from = ['explain', 'both', '--from', `${EXPLAINED}.json`];
  const { status, stdout, stderr } = await place.run([...from, '--html', 'no/folder.html']);
  expect(status).toBe(2);
  expect(Object.keys(tableIn(stdout).rows)).toContain('measured');
  expect(stderr).toMatch(/^tracetax: no\/folder.html can't be written: [^\n]*\n$/);
});

test.each(['stdout', 'stderr'] as const)('a %s that nobody reads to its end is no failure', async (stream) => {
  await using place = new Workplace();
  const run = place.start(['explain', 'both', '--from', `${EXPLAINED}.json`, '--pprof', place.path('out.pb.gz')]);
  await run[stream].cancel();
  expect(await run.exited).toBe(0);
});

test('scenarios that build on each other make a ladder, which needs no profiles', async () => {
  await using place = new Workplace();
  const result: Result = JSON.parse(readFileSync(`${EXPLAINED}.json`, 'utf8'));
  result.suite.isLadder = true;
  place.write('ladder.json', JSON.stringify(result));
  const { status, stdout, stderr } = await place.run(['explain', '--from', 'ladder.json']);
  expect(status).toBe(2);
  expect(stderr).toMatch(/^tracetax: [^\n]*has no profiles[^\n]*\n$/);
  expect(tableIn(stdout).headings).toContain('More than the row above');
});

test.each([
  ['packages', 'both', 'docs'],
  ['hono-otel', 'hono-otel', 'full'],
])('docs/explain.md shows what was explained of %s', async (block, scenario, format) => {
  await using place = new Workplace();
  const file = `results/explain-${block}-epyc-2core.json`;
  const { stdout } = await place.run(['explain', scenario, '--from', join(ROOT, file), '--format', format]);
  const document = readFileSync(join(ROOT, 'docs/explain.md'), 'utf8');
  expect(document).toContain(`<!-- explain:${block} -->\n\n${stdout}\n<!-- /explain -->`);
  expect(document).toContain(file);
});
