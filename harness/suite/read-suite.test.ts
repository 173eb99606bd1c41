import { describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testFolder } from '../testing/folder.ts';
import { Problem } from '../words/errors.ts';
import { readSuite } from './read-suite.ts';
import { select, withoutScenario } from './select.ts';
import type { Scenario } from './suite.ts';
import { pointsOf } from './sweep.ts';

const { folder, write } = testFolder();

let files = 0;
function load(suite: object) {
  const whole = { name: 'test', baseline: 'a', scenarios: scenarios('a', 'b'), ...suite };
  return readSuite(write(`suite-${files++}.json`, whole));
}

const scenarios = (...names: string[]) =>
  names.map((name) => ({ name, command: ['bun', 'run', `${name}.ts`] }));
const task = (name: string, more = {}) => ({ name, exchanges: [{}], ...more });

describe('what does not fit is said before anything is started', () => {
  const post = (more: object) => ({ request: { method: 'POST', ...more } });
  const pattern = { span: { name: 'GET /', attributes: { 'url.path': { pattern: '(' } } } };
  const short = task('short');
  const mix = { name: 'mix', exchanges: [{}, {}] };
  const claiming = (...names: string[]) =>
    task('x', { exchanges: [{ telemetry: Object.fromEntries(names.map((name) => [name, {}])) }] });
  const first = (more: object) => ({
    scenarios: [{ ...scenarios('a')[0], ...more }, ...scenarios('b')],
  });
  const services = [{ name: 'db', command: ['x'] }];
  const sweep = (more: object) => ({ sweep: { values: [1, 2, 3], unit: 'x', ...more } });
  const cases: [string, object, string | RegExp][] = [
    ['a misspelt field', { anwser: {} }, 'anwser'],
    ['a server elsewhere', { request: { path: 'https://example.com/' } }, 'must start with "/"'],
    ['a folder that is not there', { cwd: 'nope' }, join(folder, 'nope')],
    ['a body file that is not there', post({ bodyFile: 'nope.json' }), join(folder, 'nope.json')],
    ['a body file beside a body', post({ body: 'x', bodyFile: 'nope.json' }), 'give one of them'],
    [
      'packages that are none',
      { scenarios: [{ ...scenarios('a')[0], packages: 'nope' }] },
      'nope/package.json',
    ],
    [
      'a pattern that is none',
      { scenarios: [{ ...scenarios('a')[0], telemetry: pattern }] },
      'no regular expression',
    ],
    ['a status that a load tool counts as an error', { answer: { status: 404 } }, 'answer.status'],
    [
      'a mode of export that is none',
      { scenarios: [{ ...scenarios('a')[0], export: 'own' }] },
      'scenarios[0].export',
    ],
    ['a scenario twice', { scenarios: scenarios('a', 'a') }, '"a" appears twice'],
    ['a task twice', { tasks: [short, short] }, '"short" appears twice'],
    ['a baseline that is none', { baseline: 'x' }, '"x" is not one of the scenarios (a, b)'],
    [
      'a baseline of a task that is none',
      { tasks: [task('x', { baseline: 'x' })] },
      '"x" is not one of the scenarios',
    ],
    ['a request beside tasks', { tasks: [short], request: {} }, 'give one or the other'],
    [
      'a warm-up of a mix',
      { tasks: [short, mix], warmUp: 'mix' },
      '"mix" is not a task with exactly one request',
    ],
    ['a warm-up that is none', { tasks: [short], warmUp: 'nope' }, '"nope" is not a task'],
    ['a sweep of nothing', sweep({}), 'either "env" or "load"'],
    ['a sweep of two things', sweep({ env: 'N', load: 'rate' }), 'either "env" or "load"'],
    ['a sweep with a value twice', sweep({ env: 'N', values: [1, 1, 2] }), 'has a value twice'],
    [
      'a sweep of a load of nothing',
      sweep({ load: 'rate', values: [0, 1, 2] }),
      'whole numbers from 1 on',
    ],
    [
      'a service that is none',
      { services, ...first({ env: { URL: 'http://{service:d}/' } }) },
      'of the services (db)',
    ],
    [
      'telemetry of no scenario',
      { tasks: [claiming('b', 'c')] },
      'no scenario for telemetry of "c"',
    ],
    [
      'telemetry of what is swept',
      { tasks: [claiming('b-2', 'b')], ...sweep({ env: 'N' }) },
      'telemetry of "b"',
    ],
  ];
  test.each(cases)('%s', async (_, suite, words) => {
    const error = await load(suite).catch((reason) => reason);
    expect(error).toBeInstanceOf(Problem);
    expect(error.message).toMatch(words);
  });

  test('what a suite that is a function throws', async () => {
    const file = write(
      'function.ts',
      "export default async () => { throw new Error('no such size'); };",
    );
    await expect(readSuite(file)).rejects.toThrow('no such size');
    await expect(readSuite(write('text.ts', "throw 'a text';"))).rejects.toThrow(
      "can't be read: a text",
    );
  });
});

test('paths are relative to the suite file, or whole', async () => {
  mkdirSync(join(folder, 'servers'));
  const whole = write('body.json', '{}');
  for (const bodyFile of ['body.json', whole]) {
    const suite = await load({ cwd: 'servers', request: { method: 'POST', bodyFile } });
    expect(suite.cwd).toBe(join(folder, 'servers'));
    expect(suite.tasks[0]?.exchanges[0]?.request.bodyFile).toBe(whole);
  }
});

const NO_HEADERS = [{ 'X:A': '1' }, { A: 'a\r\nB: c' }, { A: 'ä' }, { 'content-length': '5' }];
test.each(NO_HEADERS)('no header is %p', async (headers) => {
  await expect(load({ request: { headers } })).rejects.toThrow('request.headers');
});

test('a body that no command line can hold goes into a file, the same for all that send it', async () => {
  const exchanges = ['short', 'x'.repeat(100_000), '\0'].map((body) => ({
    request: { method: 'POST', body },
  }));
  const suite = await load({ tasks: [task('one', { exchanges }), task('two', { exchanges })] });
  const [short, long, nul, , again] = suite.tasks.flatMap((each) => each.exchanges);
  expect([short, long, nul].map((each) => each?.request.body)).toEqual([
    'short',
    undefined,
    undefined,
  ]);
  const { bodyFile } = { ...long?.request };
  expect(readFileSync(String(bodyFile), 'utf8')).toBe('x'.repeat(100_000));
  expect(again?.request.bodyFile).toBe(String(bodyFile));
});

test('one task unless it names several', async () => {
  const { tasks, remarks } = await load({ request: { path: '/x' }, remarks: ['Large buffers.'] });
  expect(tasks).toMatchObject([
    { name: 'default', exchanges: [{ request: { method: 'GET', path: '/x' } }] },
  ]);
  expect(remarks).toEqual(['Large buffers.']);
});

test('without a scenario go the tasks of which it is the baseline', async () => {
  const tasks = [task('one'), task('two', { baseline: 'c' })];
  const suite = await load({ scenarios: scenarios('a', 'b', 'c'), tasks });
  const fault = { what: 'is broken', detail: 'x', scenario: 'c', slice: null, count: 1 };
  const left = withoutScenario(suite, suite.scenarios[2] as Scenario, fault);
  expect(left.skipped).toMatchObject([
    { scenario: 'c', fault, tasks: ['one'] },
    { scenario: 'two', fault: { what: 'its baseline c was skipped' }, tasks: [] },
  ]);
  expect(left.tasks).toMatchObject([{ name: 'one', scenarios: [{ name: 'a' }, { name: 'b' }] }]);
});

test('a task of short requests warms up the servers of the others, also if it is not chosen itself', async () => {
  const sent = (name: string) => task(name, { exchanges: [{ request: { path: `/${name}` } }] });
  const suite = await load({ tasks: [sent('short'), sent('long')], warmUp: 'short' });
  expect(select(suite, { tasks: ['long'] }).tasks).toMatchObject([
    { name: 'long', warmUp: [{ request: { path: '/short' } }] },
  ]);
  expect(suite.tasks[0]?.warmUp).toEqual([]);
});

describe('choosing', () => {
  test('scenarios keep the order of the suite and the baseline', async () => {
    const suite = await load({ scenarios: scenarios('a', 'b', 'c', 'd') });
    const names = (chosen: string[]) =>
      select(suite, { scenarios: chosen }).tasks[0]?.scenarios.map(({ name }) => name);
    expect(names(['d', 'b'])).toEqual(['a', 'b', 'd']);
    expect(names(['a'])).toEqual(['a']);
    expect(select(suite, {})).toEqual(suite);
    expect(() => names(['x', 'y'])).toThrow('Suite test has no scenario "x", "y"');
  });

  test('tasks, and those of scenarios', async () => {
    const three = task('three', { baseline: 'b', scenarios: ['b', 'c'] });
    const suite = await load({
      scenarios: scenarios('a', 'b', 'c'),
      tasks: [task('one'), task('two'), three],
    });
    const names = (chosen: object) => select(suite, chosen).tasks.map(({ name }) => name);
    expect(names({ tasks: ['two'] })).toEqual(['two']);
    expect(names({ scenarios: ['c'] })).toEqual(['one', 'two', 'three']);
    expect(names({ scenarios: ['a'] })).toEqual(['one', 'two']);
    // A list without names, as of `--scenarios ,`.
    for (const none of [{ tasks: [] }, { scenarios: [] }]) expect(names(none)).toEqual([]);
    expect(() => names({ tasks: ['four'] })).toThrow('has no task "four"');
  });
});

describe('a sweep', () => {
  test('of a variable: a scenario for each value, but for the baseline', async () => {
    const { tasks } = await load({ sweep: { env: 'N', values: [0, 1, 5], unit: 'turn' } });
    expect(tasks.map(({ scenarios }) => scenarios.map(({ name }) => name))).toEqual([
      ['a', 'b-0', 'b-1', 'b-5'],
    ]);
    expect(tasks[0]?.scenarios.map(({ env }) => env.N)).toEqual([undefined, '0', '1', '5']);
    expect(tasks[0]?.scenarios[3]?.title).toBe('b, N=5');
    expect(pointsOf(tasks)[2]).toEqual({ task: 'default', scenario: 'b-5', curve: 'b', value: 5 });
  });

  test('of several tasks: a line for each', async () => {
    for (const parameter of [{ env: 'N' }, { load: 'rate' }]) {
      const sweep = { ...parameter, values: [1, 2, 3], unit: 'one' };
      const { tasks } = await load({ tasks: [task('get'), task('post')], sweep });
      expect([...new Set(pointsOf(tasks).map(({ curve }) => curve))]).toEqual([
        'get, b',
        'post, b',
      ]);
    }
  });

  test('of the load: a task for each value, and the baseline against itself once', async () => {
    const sweep = { load: 'connections', values: [1, 2, 4], unit: 'one' };
    const { tasks } = await load({ sweep });
    expect(tasks).toMatchObject([
      { name: 'connections-1', connections: 1, scenarios: [{ name: 'a' }, { name: 'b' }] },
      { name: 'connections-2', connections: 2, scenarios: [{ name: 'b' }] },
      { name: 'connections-4', connections: 4, scenarios: [{ name: 'b' }] },
    ]);
    expect(pointsOf(tasks).map(({ task, value }) => [task, value])).toContainEqual([
      'connections-4',
      4,
    ]);
    // Of some values alone, the first has it.
    const some = select(await load({ sweep }), { tasks: ['connections-2', 'connections-4'] });
    expect(some.tasks.map(({ scenarios }) => scenarios.map(({ name }) => name))).toEqual([
      ['a', 'b'],
      ['b'],
    ]);
  });
});

test('a suite of the repository is found by its name', async () => {
  expect((await readSuite('levels')).name).toBe('levels');
  await expect(readSuite('nope')).rejects.toThrow('There is no suite nope');
});
