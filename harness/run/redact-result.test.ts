import { expect, test } from 'bun:test';
import { digest } from '../exchange/redact.ts';
import { faultOf } from '../result/faults.ts';
import { taskSchema } from '../suite/suite-schema.ts';
import { fakeRows } from '../testing/fake-plan.ts';
import { fakePair, fakeResult } from '../testing/fakes.ts';
import { testFolder } from '../testing/folder.ts';
import { redactorFor } from './redact-result.ts';

const { write } = testFolder();
const CARD = '{\n  "card": "4111-1111",\n  "pin": 123456\n}\n';

/** What a result keeps of a program's words, if this was sent. */
function keptOf(words: string, request: object, env = {}): string | undefined {
  const exchange = { request: { method: 'POST', ...request } };
  const { exchanges } = taskSchema.parse({ name: 'default', exchanges: [exchange] });
  const pair = { ...fakePair(), faults: [faultOf('server-ended', words)] };
  const redacted = redactorFor(fakeRows({ exchanges }, { env }))(fakeResult([pair]));
  return redacted.pairs[0]?.faults[0]?.detail;
}

test.each([
  ['a body', { body: CARD }],
  ['a file', { bodyFile: write('card.json', CARD) }],
])('what a program repeats of %s is a digest in the result', (_, request) => {
  const whole = CARD.trim();
  expect(keptOf(`bad: ${whole}!`, request)).toBe(`bad: ${digest(whole)}!`);
  expect(keptOf(`bad: ${JSON.stringify(CARD)}`, request)).not.toContain('4111');
  expect(keptOf('no card 4111-1111', request)).toBe(`no card ${digest('4111-1111')}`);
  expect(keptOf('no pin 123456', request)).toBe(`no pin ${digest('123456')}`);
  expect(keptOf('no card', request)).toBe('no card');
});

test('also of a form, of lines, and of a file that is larger than any pattern', () => {
  expect(keptOf('no user jane doe', { body: 'name=jane+doe&age=30' })).not.toContain('jane');
  const lines = write('lines', 'first line\nsecond line\n');
  expect(keptOf('at: second line', { bodyFile: lines })).toBe(`at: ${digest('second line')}`);
  const large = write('large.json', { token: 'hush-hush', data: 'x'.repeat(2 ** 21) });
  expect(keptOf('no hush-hush', { bodyFile: large })).toBe(`no ${digest('hush-hush')}`);
});

test("also of a variable of a server that is secret by its name, or a URL's password", () => {
  const env = { API_TOKEN: 'hush-hush', DB: 'postgres://app:pass-word@db/shop', NAME: 'a name' };
  const kept = keptOf('hush-hush, postgres://app:pass-word@db/shop, a name', {}, env);
  const [token, password] = ['hush-hush', 'pass-word'].map(digest);
  expect(kept).toBe(`${token}, postgres://app:${password}@db/shop, a name`);
});
