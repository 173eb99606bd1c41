// What a machine offers before the first run.
import { expect } from 'bun:test';
import { testConcurrently } from '../support/workplace.ts';

testConcurrently(
  'says in a line each what is there; a load tool that lacks is not named',
  async (place) => {
    const { stdout, status } = await place.run(['doctor']);
    const names = [...stdout.matchAll(/^(.*?):/gm)].map(([, name]) => name);
    const expected =
      'Machine, Cores, A wake-up, Idle cores, Frequency, Other load, CPU time, Load tools, Runtimes, Results';
    expect(names.join(', ')).toBe(expected);
    expect(status).toBe(0);
    const without = await place.run(['doctor'], { BOMBARDIER: '/nowhere' });
    expect(without.stdout).toMatch(/^Load tools: (?!bombardier)/m);
  },
);
