// `explain` from end to end, on servers whose cost lies in known places. None of it depends on the
// speed of the machine.
import { expect } from 'bun:test';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { sum } from 'simple-statistics';
import type { Explanation } from '../../harness/explain/explanation.ts';
import { HI } from '../../harness/testing/sources.ts';
import { parseTable } from '../support/results.ts';
import { ROOT, SHORT_RUN } from '../support/short-runs.ts';
import { testConcurrently } from '../support/workplace.ts';

/**
 * Twenty times the known costs in two packages, so that they stand out where a busy machine answers
 * few requests.
 */
const PACKAGES = `
import packages from '${ROOT}/suites/calibration/packages/suite.ts';
const command = ['bun', 'run', '${ROOT}/suites/calibration/packages/server.ts'];
const [base, both] = packages.scenarios;
const scenarios = [{ ...base, command }, { ...both, command, env: { A_US: '100', B_US: '200' }, trueCostUs: 300 }];
export default { ...packages, scenarios };
`;

testConcurrently(
  'a cost in two packages is found there, and all parts sum to what was measured; again from the files',
  async (place) => {
    place.write('packages.ts', PACKAGES);
    const run = await place.run(['explain', 'both', '--suite', 'packages.ts', ...SHORT_RUN]);
    expect(run).toMatchObject({ status: 0 });
    const { headings, rows } = parseTable(run.stdout);
    expect(headings.slice(0, 2)).toEqual(['CPU per request', 'Baseline']);
    expect(Object.keys(rows)).toContainValues(['package-a', 'package-b', 'measured']);
    expect(readdirSync(place.path('out.profiles')).sort()[0]).toBe('1-both-baseline.cpuprofile');
    expect(readdirSync(place.temporary)).toEqual([]);

    expect(await place.run(['explain', 'both', '--from', 'out.json'])).toEqual({
      ...run,
      stderr: '',
    });
    const json = await place.run(['explain', 'both', '--from', 'out.json', '--format', 'json']);
    const [{ parts, measured }] = JSON.parse(json.stdout) as [Explanation];
    const burners = parts.filter(({ where }) => where.startsWith('package-'));
    expect(burners.map(({ where, us }) => `${where} ${us.baseline}`).sort()).toEqual([
      'package-a 0',
      'package-b 0',
    ]);
    expect(sum(parts.map(({ us }) => us.scenario))).toBeCloseTo(measured.us.scenario, 6);
    expect(parts.some(({ where }) => /^thread thread$|ProfEvnt/.test(where))).toBe(false);

    const stderr = expect.stringContaining('There is no cost of nope to explain');
    expect(await place.run(['explain', 'nope', '--from', 'out.json'])).toMatchObject({
      status: 2,
      stderr,
    });
    // Scenarios that build on each other make a ladder, which needs no profiles.
    const result = await Bun.file(place.path('out.json')).json();
    expect(result.configuration.scenarios).toEqual(['both']);
    place.write('ladder.json', { ...result, suite: { ...result.suite, isLadder: true } });
    const ladder = await place.run(['explain', '--from', 'ladder.json']);
    expect(ladder).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/^No packages are shown: .*has no profiles/),
    });
    expect(parseTable(ladder.stdout).headings).toContain('More than the row above');
  },
);

testConcurrently(
  'what can not be explained is told of before anything is measured',
  async (place) => {
    const refused = async (words: string, scenario: string, more: object = {}) => {
      const run = await place.run([
        'explain',
        scenario,
        '--suite',
        place.suite({ base: HI, other: HI }, more),
        ...SHORT_RUN,
      ]);
      expect(run).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(words) });
      expect(existsSync(place.path('out.json'))).toBe(false);
    };
    await refused('A baseline has no cost', 'base');
    const scenarios = ['base', 'other'].map((name) => ({
      name,
      command: ['python3'],
      env: { NAME: name },
    }));
    await refused("can't be explained", 'other', { scenarios });
    mkdirSync(place.path('out.profiles'));
    await refused('out.profiles exists already', 'other');
  },
);

testConcurrently('Node is explained in the same way', async (place) => {
  place.write('node_modules/burner/package.json', '{ "name": "burner" }');
  // So much that V8's threads, which compile for longer on a busy machine, are little beside it.
  const burn =
    'const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2)); exports.burn = () => fib(26);';
  place.write('node_modules/burner/index.js', burn);
  const server = (work: string) => `
    const { burn } = require('burner');
    require('node:http').createServer((request, response) => { ${work} response.end('Hi'); }).listen(process.env.PORT, '127.0.0.1');`;
  place.write('base.cjs', server(''));
  place.write('burns.cjs', server('globalThis.kept = burn();'));
  const scenarios = ['base', 'burns'].map((name) => ({ name, command: ['node', `${name}.cjs`] }));
  const suite = place.suite({}, { baseline: 'base', scenarios });
  const args = ['burns', '--suite', suite, ...SHORT_RUN, '--warmup', '2s', '--format', 'json'];
  const run = await place.run(['explain', ...args]);
  expect(run).toMatchObject({ status: 0 });
  const [{ parts, measured }] = JSON.parse(run.stdout) as [Explanation];
  expect(parts.find(({ where }) => where === 'burner')).toMatchObject({ us: { baseline: 0 } });
  // Nor is the sampler's thread a part, whatever it is called.
  expect(parts.some(({ where }) => /ProfEvnt/.test(where))).toBe(false);
  const ofThreads = parts.filter(({ where }) => where.startsWith('thread '));
  expect(sum(ofThreads.map(({ us }) => us.scenario))).toBeLessThan(measured.us.scenario / 5);
});

testConcurrently(
  'what can not be profiled costs no measurement, and is said in one line',
  async (place) => {
    // Without the variable that loads the probe.
    const bare = ['env', '-u', 'BUN_OPTIONS', 'bun', 'run'];
    const scenarios = ['base', 'other'].map((name) => ({ name, command: [...bare, `${name}.ts`] }));
    const suite = place.suite({ base: HI, other: HI }, { scenarios });
    const { status, stderr } = await place.run(['explain', '--suite', suite, ...SHORT_RUN]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^tracetax: The server can't be profiled: [^\n]*$/m);
    expect(existsSync(place.path('out.json'))).toBe(true);
  },
);
