import { expect, test } from 'bun:test';
import { fakeFault } from '../testing/fakes.ts';
import { faultOf, faultSchema } from './faults.ts';

/** The words that faults had in files before they had a kind. */
const WORDS = [
  ['server-ended', 'the server ended'],
  ['process-ended', 'a process ended'],
  ['process-not-counted', 'a process was not counted'],
  ['limit-reached', 'a limit was reached'],
  ['no-answer', 'no request was answered'],
  ['requests-failed', 'requests failed'],
  ['rate-not-held', 'rate not held'],
  ['development-mode', 'development mode'],
  ['wrong-answer-under-load', 'wrong answer under load'],
  ['wrong-answer-afterwards', 'wrong answer afterwards'],
  ['exports-not-counted', 'exports not counted'],
  ['spans-arrived', 'spans arrived'],
  ['no-span-arrived', 'no span arrived'],
] as const;

test.each(WORDS)('%s is written in the words "%s", and read from them', (kind, what) => {
  expect(faultOf(kind).what).toBe(what);
  const { kind: _, ...before } = fakeFault({ what });
  expect(faultSchema.parse(before)).toEqual({ ...before, kind });
});

test('a fault keeps the kind that its file says, whatever its words', () => {
  const fault = fakeFault({ kind: 'rate-not-held', what: 'in other words' });
  expect(faultSchema.parse(faultSchema.encode(fault))).toEqual(fault);
});

test('a fault in an older file whose words have no kind is read as another one', () => {
  const { kind: _, ...before } = fakeFault({ what: 'in other words' });
  expect(faultSchema.parse(before)).toMatchObject({ kind: 'other', what: 'in other words' });
});
