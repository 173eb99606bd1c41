import { expect, test } from 'bun:test';
import { pairRevisions } from './pair-revisions.ts';
import { type SuiteInput, suiteSchema } from './suite-schema.ts';
import { expandSweep, sweepPoints } from './sweep.ts';

const command = ['bun', 'run', 'server.ts'];
const a = { name: 'a', command };
const b = { name: 'b', command };

const loaded = (input: Partial<SuiteInput>, cwd: string) =>
  expandSweep(suiteSchema.parse({ name: 'suite', baseline: 'a', scenarios: [], cwd, ...input }));

const paired = (old: Partial<SuiteInput>, current: Partial<SuiteInput>, names = {}) =>
  pairRevisions(
    { title: 'main', suite: loaded(old, '/old') },
    { title: 'HEAD', suite: loaded(current, '/new') },
    names,
  );

test('each scenario is a task: its old server is the baseline of the new one', () => {
  const scenarios = [a, { ...b, title: 'B', trueCostUs: 1 }];
  const { tasks, skipped } = paired({ scenarios }, { scenarios });
  expect(tasks.map(({ name, title }) => `${name} ${title}`)).toEqual(['a a', 'b B']);
  expect(tasks[1]?.baseline).toMatchObject({ name: 'b.old', title: 'main', cwd: '/old' });
  expect(tasks[1]?.scenarios).toMatchObject([{ name: 'b.new', title: 'HEAD', cwd: '/new' }]);
  expect(tasks[1]?.scenarios[0]?.trueCostUs).toBeUndefined();
  expect(skipped).toEqual([]);
});

test('the paired suite says that it compares revisions, and is no ladder', () => {
  const suite = { scenarios: [a], isLadder: true };
  expect(loaded(suite, '/new').comparesRevisions).toBe(false);
  expect(paired(suite, suite)).toMatchObject({ comparesRevisions: true, isLadder: false });
});

test('each revision is built as it says; an old one that does not say how, as the new one', () => {
  const build = (...prepare: string[][]) => ({ scenarios: [a], prepare });
  expect(paired(build(['make', 'old']), build(['make', 'new'])).prepare).toEqual([
    { command: ['make', 'old'], cwd: '/old' },
    { command: ['make', 'new'], cwd: '/new' },
  ]);
  expect(paired(build(), build(['make', 'new'])).prepare).toEqual([
    { command: ['make', 'new'], cwd: '/old' },
    { command: ['make', 'new'], cwd: '/new' },
  ]);
});

test('only what is named, and what is new is skipped', () => {
  const [old, current] = [{ scenarios: [a] }, { scenarios: [a, b] }];
  expect(paired(old, current, { scenarios: ['a'] }).tasks.map(({ name }) => name)).toEqual(['a']);
  expect(paired(old, current).skipped).toMatchObject([
    { scenario: 'b', fault: { what: 'it is not in main' }, tasks: [] },
  ]);
  expect(() => paired(old, current, { scenarios: ['c'] })).toThrow('has no scenario "c"');
});

test('each value of a sweep is compared with itself, and no line is drawn', () => {
  const sweep = { env: 'SPANS', values: [1, 2, 3], unit: 'span' };
  const suite = { scenarios: [a, b], sweep };
  const { tasks } = paired(suite, suite);
  expect(tasks.map(({ name }) => name)).toEqual(['a', 'b-1', 'b-2', 'b-3']);
  expect(tasks[2]?.baseline).toMatchObject({ name: 'b-2.old', cwd: '/old', env: { SPANS: '2' } });
  expect(tasks[2]?.scenarios).toMatchObject([
    { name: 'b-2.new', cwd: '/new', env: { SPANS: '2' } },
  ]);
  expect(sweepPoints(tasks)).toEqual([]);
});

test('what each revision claims of an exchange stays with it, also of one that warms up', () => {
  const tasks = (claim: object) =>
    ['short', 'get'].map((name) => ({
      name,
      title: `The ${name}`,
      exchanges: [{ telemetry: { a: claim } }],
    }));
  const suite = (claim: object) => ({ scenarios: [a], tasks: tasks(claim), warmUp: 'short' });
  const [, task] = paired(suite({}), suite({ span: { name: 'GET' } })).tasks;
  expect(task).toMatchObject({ name: 'get.a', title: 'The get, a' });
  for (const [exchange] of [task?.exchanges ?? [], task?.warmUp ?? []]) {
    expect(exchange?.telemetry['a.old']?.span).toBeUndefined();
    expect(exchange?.telemetry['a.new']?.span?.name).toBe('GET');
  }
});

test('a claim stays with its path, wherever that stands', () => {
  const exchange = (path: string) => ({
    request: { path },
    telemetry: { a: { span: { name: `GET ${path}` } } },
  });
  const tasks = (...paths: string[]) => [{ name: 'get', exchanges: paths.map(exchange) }];
  const suite = (...paths: string[]) => ({ scenarios: [a], tasks: tasks(...paths) });
  const [task] = paired(suite('/a', '/b', '/c'), suite('/b', '/a', '/changed')).tasks;
  const old = task?.exchanges.map(({ telemetry }) => telemetry['a.old']?.span?.name);
  expect(old).toEqual(['GET /b', 'GET /a', undefined]);
});

test('services of both revisions are there; of two with the same name the new one', () => {
  const needing = (name: string) => ({
    scenarios: [{ ...a, env: { DB: `{service:${name}}` } }],
    services: [{ name, command: ['db'] }],
  });
  const names = (old: string, current: string) =>
    paired(needing(old), needing(current)).services.map(({ name }) => name);
  expect(names('db', 'database')).toEqual(['database', 'db']);
  expect(names('db', 'db')).toEqual(['db']);
});
