import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../words/errors.ts';
import { loadSuite, select, withoutScenario } from './load.ts';
import type { Scenario } from './suite-schema.ts';

const folder = mkdtempSync(join(tmpdir(), 'tracetax-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function load(suite: object) {
  const file = join(folder, `suite-${files++}.json`);
  writeFileSync(file, JSON.stringify({ name: 'test', baseline: 'a', scenarios: scenarios('a', 'b'), ...suite }));
  return loadSuite(file);
}

/** The error's words, if it is one that the user can fix. */
async function problem(loading: Promise<unknown>): Promise<string> {
  const error = await loading.then(
    () => undefined,
    (reason) => reason,
  );
  if (!(error instanceof Problem)) throw new Error(`no problem: ${error}`);
  return error.message;
}

const scenarios = (...names: string[]) => names.map((name) => ({ name, command: ['bun', 'run', `${name}.ts`] }));

describe('a body file', () => {
  test('is relative to the suite file, wherever the commands run', async () => {
    mkdirSync(join(folder, 'servers'));
    writeFileSync(join(folder, 'body.json'), '{}');
    const suite = await load({ cwd: 'servers', request: { method: 'POST', bodyFile: 'body.json' } });
    expect(suite.cwd).toBe(join(folder, 'servers'));
    expect(suite.tasks[0]?.exchanges[0]?.request.bodyFile).toBe(join(folder, 'body.json'));
  });

  test('may be named by its whole path', async () => {
    const bodyFile = join(folder, 'whole.json');
    writeFileSync(bodyFile, '{}');
    const suite = await load({ request: { method: 'POST', bodyFile } });
    expect(suite.tasks[0]?.exchanges[0]?.request.bodyFile).toBe(bodyFile);
  });

  test('that is not there, and one beside a body', async () => {
    const missing = await problem(load({ request: { method: 'POST', bodyFile: 'nope.json' } }));
    expect(missing).toContain(`names a body file that does not exist: ${join(folder, 'nope.json')}`);
    const two = await problem(load({ request: { method: 'POST', body: 'x', bodyFile: 'nope.json' } }));
    expect(two).toContain('give one of them');
  });
});

test('a folder that is not there', async () => {
  expect(await problem(load({ cwd: 'nope' }))).toContain('names a folder that does not exist');
});

test('a pattern that is no regular expression is found before anything is started', async () => {
  const telemetry = { span: { name: 'GET /', attributes: { 'url.path': { pattern: '(' } } } };
  const bad = load({ scenarios: [{ ...scenarios('a')[0], telemetry }] });
  expect(await problem(bad)).toMatch(/is no regular expression\W+at scenarios\[0\]\.telemetry\.span\.attributes/);
});

test('a suite may be a function, and what it throws is said', async () => {
  const file = join(folder, 'function.ts');
  writeFileSync(file, "export default async () => { throw new Error('no such size'); };");
  expect(await problem(loadSuite(file))).toContain('no such size');
});

test('one task unless it names several', async () => {
  const { tasks } = await load({ request: { path: '/x' } });
  expect(tasks).toMatchObject([{ name: 'default', exchanges: [{ request: { method: 'GET', path: '/x' } }] }]);
});

test('without a scenario go the tasks of which it is the baseline', async () => {
  const tasks = ['one', 'two'].map((name) => ({ name, exchanges: [{}], baseline: name === 'one' ? 'a' : 'c' }));
  const suite = await load({ scenarios: scenarios('a', 'b', 'c'), tasks });
  const left = withoutScenario(suite, suite.scenarios[2] as Scenario, 'it is broken');
  expect(left.skipped).toEqual([
    { scenario: 'c', reason: 'it is broken', tasks: ['one'] },
    { scenario: 'two', reason: 'its baseline c was skipped', tasks: [] },
  ]);
  expect(left.tasks.map(({ name, scenarios }) => [name, scenarios.map((each) => each.name)])).toEqual([
    ['one', ['a', 'b']],
  ]);
});

test('names twice, and tasks that name what is not there', async () => {
  expect(await problem(load({ scenarios: scenarios('a', 'a') }))).toContain('"a" appears twice');
  const task = { name: 'one', exchanges: [{}] };
  expect(await problem(load({ tasks: [task, task] }))).toContain('"one" appears twice');
  expect(await problem(load({ tasks: [{ ...task, scenarios: ['b'] }] }))).toContain('must have the baseline "a"');
  expect(await problem(load({ tasks: [{ ...task, baseline: 'x' }] }))).toContain('"x" is not one of the scenarios');
  expect(await problem(load({ tasks: [task], request: {} }))).toContain('give one or the other');
  const wrong = await problem(load({ baseline: 'x', tasks: [task, { ...task, name: 'two' }] }));
  expect(wrong?.match(/"x" is not one of the scenarios/g)).toHaveLength(1);
});

test('a task of short requests warms up the servers of the others, also if it is not chosen itself', async () => {
  const task = (name: string, count = 1) => ({ name, exchanges: Array(count).fill({ request: { path: `/${name}` } }) });
  const tasks = [task('short'), task('long'), task('mix', 2)];
  const { tasks: chosen } = select(await load({ tasks, warmUp: 'short' }), { endpoints: ['long'] });
  expect(chosen).toMatchObject([{ name: 'long', warmUp: { exchanges: [{ request: { path: '/short' } }] } }]);
  expect((await load({ tasks, warmUp: 'short' })).tasks[0]?.warmUp).toBeUndefined();
  for (const warmUp of ['mix', 'nope'])
    expect(await problem(load({ tasks, warmUp }))).toContain(`"${warmUp}" is not a task with exactly one request`);
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

  test('tasks', async () => {
    const tasks = ['one', 'two'].map((name) => ({ name, exchanges: [{}] }));
    const suite = await load({ tasks });
    expect(select(suite, { endpoints: ['two'] }).tasks.map(({ name }) => name)).toEqual(['two']);
    // A list without names, as of `--scenarios ,`.
    for (const none of [{ endpoints: [] }, { scenarios: [] }]) expect(select(suite, none).tasks).toEqual([]);
    const others = [...tasks, { name: 'three', exchanges: [{}], baseline: 'b', scenarios: ['b', 'c'] }];
    const larger = await load({ scenarios: scenarios('a', 'b', 'c'), tasks: others });
    expect(select(larger, { scenarios: ['c'] }).tasks.map(({ name }) => name)).toEqual(['one', 'two', 'three']);
    expect(select(larger, { scenarios: ['a'] }).tasks.map(({ name }) => name)).toEqual(['one', 'two']);
    expect(() => select(suite, { endpoints: ['three'] })).toThrow('has no endpoint "three"');
  });
});

test.each(['levels', 'workloads', 'calibration', 'tracers'])('the suite %s is found by its name', async (name) => {
  expect((await loadSuite(name)).name).toBe(name);
});

describe('a sweep', () => {
  test('of a variable: a scenario for each value, but for the baseline', async () => {
    const { tasks, points } = await load({ sweep: { env: 'N', values: [0, 1, 5], unit: 'turn' } });
    expect(tasks.map(({ scenarios }) => scenarios.map(({ name }) => name))).toEqual([['a', 'b-0', 'b-1', 'b-5']]);
    expect(tasks[0]?.scenarios.map(({ env }) => env.N)).toEqual([undefined, '0', '1', '5']);
    expect(tasks[0]?.scenarios[3]?.title).toBe('b, N=5');
    expect(points[2]).toEqual({ task: 'default', scenario: 'b-5', curve: 'b', value: 5 });
  });

  test('of several tasks: a line for each', async () => {
    const tasks = ['get', 'post'].map((name) => ({ name, exchanges: [{}] }));
    for (const parameter of [{ env: 'N' }, { load: 'rate' }]) {
      const { points } = await load({ tasks, sweep: { ...parameter, values: [1, 2, 3], unit: 'one' } });
      expect([...new Set(points.map(({ curve }) => curve))]).toEqual(['get, b', 'post, b']);
    }
  });

  test('of the load: a task for each value, and the baseline against itself once', async () => {
    const { tasks, points } = await load({ sweep: { load: 'connections', values: [1, 2, 4], unit: 'one' } });
    expect(tasks.map(({ name, connections }) => [name, connections])).toEqual([
      ['connections-1', 1],
      ['connections-2', 2],
      ['connections-4', 4],
    ]);
    expect(tasks.map(({ scenarios }) => scenarios.map(({ name }) => name))).toEqual([['a', 'b'], ['b'], ['b']]);
    expect(points.map(({ task, value }) => [task, value])).toContainEqual(['connections-4', 4]);
  });

  test('that makes no sense', async () => {
    const why = (sweep: object) => problem(load({ sweep: { values: [1, 2, 3], unit: 'x', ...sweep } }));
    expect(await why({})).toContain('either "env" or "load"');
    expect(await why({ env: 'N', load: 'rate' })).toContain('either "env" or "load"');
    expect(await why({ env: 'N', values: [1, 1, 2] })).toContain('has a value twice');
    expect(await why({ load: 'rate', values: [0, 1, 2] })).toContain('whole numbers from 1 on');
    expect(await why({ env: 'N', values: [1, 2] })).toContain('values');
  });
});
