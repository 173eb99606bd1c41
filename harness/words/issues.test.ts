import { expect, test } from 'bun:test';
import { z } from 'zod';
import { issuesText, PLAINLY } from './issues.ts';

const SCHEMA = z.strictObject({
  name: z.string().min(1),
  list: z.array(z.strictObject({ count: z.int(), kind: z.enum(['a', 'b']).default('a') })).min(2),
  either: z.union([z.string(), z.array(z.string())]),
  share: z.number().positive().max(1),
  own: z.string().regex(/^x/, 'must begin with x').default('x'),
});

const GOOD = { name: 'n', list: [{ count: 1 }, { count: 2 }], either: 'e', share: 1 };

test.each<[said: string, change: object | null]>([
  ['name: is missing: give a text', { name: undefined }],
  ['name: must be a text', { name: 3 }],
  ['name: must not be empty', { name: '' }],
  ['list: must have at least 2 entries', { list: [{ count: 1 }] }],
  ['list[1].count: must be a whole number', { list: [{ count: 1 }, { count: 1.5 }] }],
  ['list[0].kind: must be one of a, b', { list: [{ count: 1, kind: 'c' }, { count: 2 }] }],
  ['list[0]: there is no field "x", "y"', { list: [{ count: 1, x: 1, y: 2 }, { count: 2 }] }],
  ['either: must be a text, or must be a list', { either: 5 }],
  ['share: must be more than 0', { share: 0 }],
  ['share: must be at most 1', { share: 2 }],
  ['own: must begin with x', { own: 'y' }],
  ['must be an object', null],
  ['name: must not be empty; share: must be more than 0', { name: '', share: 0 }],
])('what is wrong is said as a sentence: %s', (said, change) => {
  const { error } = SCHEMA.safeParse(change && { ...GOOD, ...change }, PLAINLY);
  expect(error && issuesText(error)).toBe(said);
});
