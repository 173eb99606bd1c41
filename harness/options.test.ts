import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { statedLoad } from './options.ts';

test('the load that scripts/bench.sh states is what runs by default', () => {
  const script = readFileSync(join(import.meta.dir, '../scripts/bench.sh'), 'utf8');
  const stated = /^export TRACETAX_LOAD='(.*)'$/m.exec(script)?.[1];
  expect(stated).toBe('bombardier --fasthttp -c 100 -d 30s');
  expect(statedLoad(stated)).toEqual({ connections: 100, durationSeconds: 30 });
});

test('a load of another form is refused', () => {
  expect(() => statedLoad('bombardier --http2 -c 100 -d 30s')).toThrow('is not of the form');
});
