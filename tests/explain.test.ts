// `explain` from end to end, on servers whose cost lies in known places. None of it depends on the speed of the machine.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { sum } from 'simple-statistics';
import type { Explanation } from '../harness/explain/explanation.ts';
import type { Result } from '../harness/result/schema.ts';
import { caseOf, HI, LIMIT_MS, ROOT, SHORT, tableIn, Workplace } from './bench.ts';

setDefaultTimeout(LIMIT_MS);

/** Twenty times the known costs in two packages, so that they stand out where a busy machine answers few requests. */
const PACKAGES = `
import packages from '${ROOT}/suites/calibration/packages/suite.ts';
const command = ['bun', 'run', '${ROOT}/suites/calibration/packages/server.ts'];
const [base, both] = packages.scenarios;
const scenarios = [{ ...base, command }, { ...both, command, env: { A_US: '100', B_US: '200' }, trueCostUs: 300 }];
export default { ...packages, scenarios };
`;

/** An explained run of known costs in two packages, in out.json. */
const place = new Workplace();
let run: Awaited<ReturnType<Workplace['run']>>;
beforeAll(async () => {
  place.write('packages.ts', PACKAGES);
  run = await place.run(['explain', 'both', '--suite', 'packages.ts', ...SHORT]);
});
afterAll(() => place[Symbol.asyncDispose]());

/** Its result and profiles under another name, changed. */
function copy(name: string, change: (result: Result) => void) {
  const result: Result = JSON.parse(readFileSync(place.path('out.json'), 'utf8'));
  change(result);
  place.write(`${name}.json`, JSON.stringify(result));
  cpSync(place.path('out.profiles'), place.path(`${name}.profiles`), { recursive: true });
}

test('a cost in two packages is found there, and all parts sum to what was measured; again from the files', async () => {
  expect(run).toMatchObject({ status: 0 });
  const { headings, rows } = tableIn(run.stdout);
  expect(headings.slice(0, 2)).toEqual(['CPU per request', 'Baseline']);
  expect(Object.keys(rows)).toContainValues(['package-a', 'package-b', 'measured']);
  const [profile] = readdirSync(place.path('out.profiles')).sort();
  expect(profile).toBe('1-both-baseline.cpuprofile');
  expect(readdirSync(place.temporary)).toEqual([]);

  expect(await place.run(['explain', 'both', '--from', 'out.json'])).toEqual({ ...run, stderr: '' });
  const json = await place.run(['explain', 'both', '--from', 'out.json', '--format', 'json']);
  const [{ parts, measured }] = JSON.parse(json.stdout) as [Explanation];
  const burners = parts.filter(({ where }) => where.startsWith('package-'));
  expect(burners.map(({ where, us }) => `${where} ${us.baseline}`).sort()).toEqual(['package-a 0', 'package-b 0']);
  expect(sum(parts.map(({ us }) => us.scenario))).toBeCloseTo(measured.us.scenario, 6);
  expect(parts.some(({ where }) => /^thread thread$|ProfEvnt/.test(where))).toBe(false);
});

caseOf('a server that can not be profiled is told of before anything is measured', async (place) => {
  const python =
    "import http.server as h, os; h.HTTPServer((os.environ['HOST'], int(os.environ['PORT'])), h.SimpleHTTPRequestHandler).serve_forever()";
  const scenarios = ['a', 'b'].map((name) => ({ name, command: ['python3', '-c', python], env: { NAME: name } }));
  const suite = place.write('suite.json', JSON.stringify({ name: 'python', baseline: 'a', scenarios }));
  const run = await place.run(['explain', 'b', '--suite', suite, ...SHORT]);
  expect(run).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining("can't be explained"),
  });
  expect(existsSync(place.path('out.json'))).toBe(false);
});

caseOf('Node is explained in the same way', async (place) => {
  place.write('node_modules/burner/package.json', '{ "name": "burner" }');
  const burn = 'const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2)); exports.burn = () => fib(18);';
  place.write('node_modules/burner/index.js', burn);
  const server = (work: string) => `
    const { burn } = require('burner');
    require('node:http').createServer((request, response) => { ${work} response.end('Hi'); }).listen(process.env.PORT, '127.0.0.1');`;
  place.write('base.cjs', server(''));
  place.write('burns.cjs', server('globalThis.kept = burn();'));
  const scenarios = ['base', 'burns'].map((name) => ({ name, command: ['node', `${name}.cjs`] }));
  const suite = place.suite({}, { baseline: 'base', scenarios });
  const args = ['burns', '--suite', suite, ...SHORT, '--warmup', '5s', '--format', 'json'];
  const { status, stdout } = await place.run(['explain', ...args]);
  expect(status).toBe(0);
  const [{ parts, measured }] = JSON.parse(stdout) as [Explanation];
  expect(parts.find(({ where }) => where === 'burner')).toMatchObject({ us: { baseline: 0 } });
  // Nor is the sampler's thread a part, whatever it is called.
  expect(parts.some(({ where }) => /ProfEvnt/.test(where))).toBe(false);
  const ofThreads = parts.filter(({ where }) => where.startsWith('thread '));
  expect(sum(ofThreads.map(({ us }) => us.scenario))).toBeLessThan(measured.us.scenario / 5);
});

caseOf('what can not be profiled costs no measurement, and is said in one line', async (place) => {
  // Without the variable that loads the probe.
  const bare = ['env', '-u', 'BUN_OPTIONS', 'bun', 'run'];
  const scenarios = ['base', 'other'].map((name) => ({ name, command: [...bare, `${name}.ts`] }));
  const suite = place.suite({ base: HI, other: HI }, { scenarios });
  const { status, stderr } = await place.run(['explain', '--suite', suite, ...SHORT]);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^tracetax: The server can't be profiled: [^\n]*$/m);
  expect(existsSync(place.path('out.json'))).toBe(true);
});

test('bad input: one line', async () => {
  const refuses = async (words: string, ...args: string[]) => {
    const { status, stdout, stderr } = await place.run(['explain', ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^tracetax: [^\n]*\n$/);
    expect(stderr).toContain(words);
  };
  await refuses('has no scenario "nope"', 'nope');
  await refuses('A baseline has no cost', 'base', '--suite', place.suite({ base: HI, other: HI }));
  await refuses("can't be read", 'both', '--from', 'nope.json');
  await refuses('There is no cost of nope to explain', 'nope', '--from', 'out.json');
  mkdirSync(place.path('earlier.profiles'));
  await refuses('earlier.profiles exists already', '--out', 'earlier.json');
});

test('scenarios that build on each other make a ladder, which needs no profiles', async () => {
  copy('ladder', ({ suite }) => Object.assign(suite, { isLadder: true }));
  rmSync(place.path('ladder.profiles'), { recursive: true });
  const { status, stdout, stderr } = await place.run(['explain', '--from', 'ladder.json']);
  expect(status).toBe(0);
  expect(stderr).toMatch(/^No packages are shown: [^\n]*has no profiles[^\n]*\n$/);
  expect(tableIn(stdout).headings).toContain('More than the row above');
});
