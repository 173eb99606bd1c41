import { expect, test } from 'bun:test';
import { fakeGroups } from '../testing/control-groups.ts';
import { watchContainer } from './container.ts';

const { version2 } = fakeGroups();

test('what is not limited is not told', () => {
  expect(
    watchContainer([], version2('/a', { '/a': { 'cpu.max': 'max 100000' } }))(),
  ).toBeUndefined();
  expect(watchContainer([], version2('/a', { '/a': { 'memory.max': '300' } }))()).toEqual({
    cpu: null,
    memory: { limitBytes: 300, takenBytes: 0 },
  });
});

test('a limit of a server alone counts, too', () => {
  const root = version2(
    '/',
    { '/server': { 'cpu.max': '60000 100000' } },
    { others: { 7: '0::/server' } },
  );
  expect(watchContainer([], root)()).toBeUndefined();
  expect(watchContainer([7], root)()).toMatchObject({ cpu: { quotaCores: 0.6 }, memory: null });
});
