// What a machine offers before the first run.
import { expect, test } from 'bun:test';
import { Workplace } from './bench.ts';

test('says in a line each what is there, and what to do about what lacks', async () => {
  await using place = new Workplace('tracetax test ');
  const { stdout, status } = await place.run(['doctor']);
  const names = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(':')[0]);
  expect(names).toEqual([
    ...['Machine', 'Cores', 'A wake-up', 'Idle cores', 'Frequency', 'Other load', 'CPU time', 'Load tools', 'Runtimes'],
    'Results',
  ]);
  expect(status).toBe(0);
  const without = await place.run(['doctor'], { BOMBARDIER: '/nowhere' });
  expect(without.stdout).toMatch(/^Load tools: (?!bombardier)/m);
}, 60_000);
