import { describe, expect, test } from 'bun:test';
import { plannedRows } from '../plan/rows.ts';
import type { Configuration } from '../result/schema.ts';
import { pairRevisions } from './pair-revisions.ts';
import type { WantedNames } from './select.ts';
import type { Suite } from './suite.ts';
import { type SuiteInput, suiteSchema } from './suite-schema.ts';
import { expandSweep, sweepPoints } from './sweep.ts';

const command = ['bun', 'run', 'server.ts'];
const a = { name: 'a', command };
const b = { name: 'b', command };

const loaded = (input: Partial<SuiteInput>, cwd: string) =>
  expandSweep(suiteSchema.parse({ name: 'suite', baseline: 'a', scenarios: [], cwd, ...input }));

const paired = (old: Partial<SuiteInput>, current: Partial<SuiteInput>, names = {}) =>
  pairRevisions(
    {
      old: { title: 'main', suite: loaded(old, '/old') },
      others: [{ title: 'HEAD', suite: loaded(current, '/new') }],
      unchanged: [],
    },
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

test('what the new revision has no more is told as skipped, unless others are asked for', () => {
  const skippedOf = (names: WantedNames) =>
    paired({ scenarios: [a, b] }, { scenarios: [a] }, names).skipped;
  expect(skippedOf({})).toMatchObject([{ scenario: 'b', fault: { what: 'not in HEAD' } }]);
  expect(skippedOf({ scenarios: ['a'] })).toEqual([]);
});

test('a named scenario that is gone from one of its tasks is told', () => {
  const task = (name: string, ...scenarios: string[]) => ({
    name,
    baseline: 'a',
    scenarios,
    exchanges: [{}],
  });
  const c = { name: 'c', command };
  const { skipped } = paired(
    { scenarios: [a, b, c], tasks: [task('one', 'b'), task('two', 'b', 'c')] },
    { scenarios: [a, b, c], tasks: [task('one', 'b'), task('two', 'c')] },
    { scenarios: ['b'] },
  );
  expect(skipped).toMatchObject([{ scenario: 'two, b', fault: { what: 'not in HEAD' } }]);
});

describe('several revisions', () => {
  const claim = (name: string) => ({ span: { name } });
  const scenarios = [
    { ...a, title: 'Bare', telemetry: {} },
    { ...b, title: 'B', telemetry: claim('GET /') },
  ];
  const several = (unchanged: string[], names: WantedNames = {}) =>
    pairRevisions(
      {
        old: { title: '1.0', suite: loaded({ scenarios, prepare: ['make'] }, '/old') },
        others: ['1.1', '1.2'].map((title) => ({
          title,
          suite: loaded({ scenarios, prepare: ['make'] }, `/${title}`),
        })),
        unchanged,
      },
      names,
    );
  const rowsOf = ({ tasks }: Suite) =>
    tasks.map(({ baseline, scenarios: rows }) =>
      [baseline, ...rows].map(({ name, title, cwd }) => `${name} ${title} ${cwd}`),
    );

  test('each of the others is a row beside the first', () => {
    const suite = several([]);
    expect(rowsOf(suite)).toEqual([
      ['a.old 1.0 /old', 'a.new-1 1.1 /1.1', 'a.new-2 1.2 /1.2'],
      ['b.old 1.0 /old', 'b.new-1 1.1 /1.1', 'b.new-2 1.2 /1.2'],
    ]);
    expect(suite.prepare.map(({ cwd }) => cwd)).toEqual(['/old', '/1.1', '/1.2']);
  });

  test('a baseline that does not change is a row of those that do', () => {
    const suite = several(['a']);
    const rows = ['b.old 1.0 /old', 'a.old Bare /old', 'b.new-1 1.1 /1.1', 'b.new-2 1.2 /1.2'];
    expect(rowsOf(suite)).toEqual([rows]);
    const [exchange] = suite.tasks[0]?.exchanges ?? [];
    expect(exchange?.telemetry).toEqual({});
    expect(suite.tasks[0]?.scenarios[0]?.telemetry).toBeDefined();
    expect(rowsOf(several(['a'], { scenarios: ['b'] }))).toEqual([rows]);
    expect(rowsOf(several(['a'], { scenarios: ['a'] }))).toHaveLength(1);
  });

  test('it may be unlike them, and they are like each other', () => {
    const configuration = { export: 'otlp', connections: 1 } as Configuration;
    const rows = plannedRows(several(['a']), configuration);
    expect(rows.map(({ scenario, mayBeUnlike }) => [scenario.name, mayBeUnlike])).toEqual([
      ['a.old', true],
      ['b.new-1', false],
      ['b.new-2', false],
    ]);
  });
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
    { scenario: 'b', fault: { what: 'not in main' }, tasks: [] },
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
