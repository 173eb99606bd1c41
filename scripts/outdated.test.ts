import { expect, test } from 'bun:test';
import { fakeFault, fakeResult } from '../harness/testing/fakes.ts';
import { changes, outdatedIn } from './outdated.ts';

test('packages with newer versions are read from the table of bun', () => {
  const table =
    '| Package | Current | Update | Latest |\n|---|---|---|---|\n| @x/y (dev)  | 1.0.0 | 1.0.1 | 2.0.0-rc.1 |\n';
  expect(outdatedIn(table)).toEqual([{ name: '@x/y', pinned: '1.0.0', latest: '2.0.0-rc.1' }]);
});

test('a suite is to be measured again if a row is new, or has another version of what it was measured with', () => {
  const result = fakeResult();
  const [first] = result.suite.scenarios;
  const suite = (name = '') => ({ scenarios: [{ name, packages: ['folder'] }] }) as never;
  expect(
    changes(suite(first?.name), result, () => ({ ...first?.packages, unused: '1.0.0' })),
  ).toEqual([]);
  expect(changes(suite(first?.name), result, () => ({ hono: '9.0.0' }))).toEqual([
    'hono 4.13.19 is now 9.0.0',
  ]);
  expect(changes(suite('another'), result, () => ({}))).toEqual(['another is new']);
  const skipped = [{ scenario: 'Another', fault: fakeFault({ scenario: 'another' }), tasks: [] }];
  expect(changes(suite('another'), { suite: { ...result.suite, skipped } }, () => ({}))).toEqual(
    [],
  );
});
