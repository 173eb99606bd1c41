import { describe, expect, test } from 'bun:test';
import { type TransformRule, Transforms } from './transforms.ts';

const sha12 = (value: string) => Bun.CryptoHasher.hash('sha256', value, 'hex').slice(0, 12);

function rule(change: Partial<TransformRule>): TransformRule {
  return { direction: 'request', method: 'POST', path: '/api/users', action: 'redact', ...change };
}

function request(path = '/api/users', method = 'POST') {
  return new Request(`http://localhost${path}`, { method });
}

function transform(rules: TransformRule[], body: unknown, path?: string) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Transforms(rules).select('request', request(path)).body(text, true).text;
}

describe('values in JSON', () => {
  const user = { username: 'ada', ssn: '078-05-1120', creditCard: '4111111111111111' };

  test('are redacted, masked and replaced', () => {
    const text = transform(
      [
        rule({ jsonPath: '$.ssn', action: 'mask' }),
        rule({ jsonPath: '$.creditCard' }),
        rule({ jsonPath: '$.username', action: 'replace', replacement: 'someone' }),
      ],
      user,
    );
    expect(JSON.parse(text as string)).toEqual({
      username: 'someone',
      ssn: '***********',
      creditCard: `REDACTED_${sha12('4111111111111111')}`,
    });
  });

  test('are found nested, in arrays, at any depth, and inside one another', () => {
    const body = { a: { cards: [{ number: '1' }, { number: 22 }] }, cards: [{ number: { deep: 'x' } }] };
    const text = transform(
      [rule({ jsonPath: '$..cards[*].number', action: 'mask' }), rule({ jsonPath: '$..deep' })],
      body,
    );
    expect(JSON.parse(text as string)).toEqual({
      a: { cards: [{ number: '*' }, { number: '**' }] },
      cards: [{ number: '*'.repeat('{"deep":"x"}'.length) }],
    });
    expect(transform([rule({ jsonPath: '$' })], '"secret"')).toBe(`"REDACTED_${sha12('secret')}"`);
  });

  test('that no rule finds are not changed, however they are spelt', () => {
    const selection = new Transforms([rule({ jsonPath: '$.ssn' })]).select('request', request());
    expect(selection.body('{ "a": 1 }', true)).toEqual({ text: '{"a":1}', isChanged: false });
    expect(selection.body('{ "ssn": 1 }', true).isChanged).toBe(true);
  });

  test('one rule keeps no other from matching', () => {
    const rules = [rule({ jsonPath: '$.kind' }), rule({ jsonPath: "$[?@ == 'card']", action: 'mask' })];
    const transforms = new Transforms(rules);
    transforms.select('request', request()).body('{"kind":"card","other":"card"}', true);
    expect(transforms.unmatched).toEqual([]);
  });

  test('members of the same name hide nothing from the rules', () => {
    const text = transform([rule({ jsonPath: '$.a.ssn' })], '{"a":{"ssn":"078"},"a":1}');
    expect(text).toBe('{"a":1}');
  });

  test('fail closed: not JSON, too deep, or a part only', () => {
    const rules = [rule({ jsonPath: '$..ssn', action: 'mask' })];
    expect(transform(rules, 'ssn=078-05-1120')).toBeUndefined();
    expect(transform(rules, `${'['.repeat(200)}{"ssn":1}${']'.repeat(200)}`)).toBeUndefined();
    expect(new Transforms(rules).select('request', request()).body('{"a":1}', false).text).toBeUndefined();
  });

  test('drop leaves nothing of the body if it matches', () => {
    const rules = [rule({ jsonPath: '$.ssn', action: 'drop' })];
    expect(transform(rules, user)).toBeUndefined();
    expect(transform(rules, { a: 1 })).toBe('{"a":1}');
  });
});

test('whole bodies', () => {
  expect(transform([rule({})], 'secret')).toBe(`REDACTED_${sha12('secret')}`);
  expect(transform([rule({ action: 'replace', replacement: '-' })], 'secret')).toBe('-');
  expect(transform([rule({ action: 'drop' })], 'secret')).toBeUndefined();
});

test('headers', () => {
  const rules = [rule({ header: 'Authorization', action: 'mask' }), rule({ header: 'cookie', action: 'drop' })];
  const selection = new Transforms(rules).select('request', request());
  expect(selection.header('authorization', 'Bearer')).toBe('******');
  expect(selection.header('cookie', 'a=b')).toBeUndefined();
  expect(selection.header('accept', '*/*')).toBe('*/*');
  expect(selection.needsWholeBody).toBe(false);
});

test('rules apply by direction, method and path, however the path is spelt', () => {
  const transforms = new Transforms([rule({ path: '/api/users/:id', method: 'put' })]);
  const applies = (direction: 'request' | 'response', path: string, method: string) =>
    transforms.select(direction, request(path, method)).needsWholeBody;
  for (const path of ['/api/users/7', '/api/users/7?a=1', '/api/%75sers/7', '/api/users/7/']) {
    expect(applies('request', path, 'PUT')).toBe(true);
  }
  expect(applies('response', '/api/users/7', 'PUT')).toBe(false);
  expect(applies('request', '/api/users/7', 'POST')).toBe(false);
  expect(applies('request', '/api/users', 'PUT')).toBe(false);
});

test('a rule for GET is one for HEAD, which the same handler answers', () => {
  const applies = (rules: string, requests: string) =>
    new Transforms([rule({ method: rules })]).select('request', request('/api/users', requests)).needsWholeBody;
  expect([applies('GET', 'HEAD'), applies('HEAD', 'HEAD'), applies('HEAD', 'GET')]).toEqual([true, true, false]);
});

describe('a wrong rule throws one line', () => {
  const wrong: [string, Partial<Record<keyof TransformRule, unknown>>][] = [
    ['bad JSONPath', { jsonPath: '$.[' }],
    ['not RFC 9535', { jsonPath: 'ssn' }],
    ['jsonPath and header', { jsonPath: '$.a', header: 'b' }],
    ['replace without replacement', { action: 'replace' }],
    ['a replacement for nothing', { replacement: 'x' }],
    ['mask of a whole body', { action: 'mask' }],
    ['unknown action', { action: 'hide' }],
    ['unknown direction', { direction: 'both' }],
    ['a path that is none', { path: 'api' }],
    ['a path that is no pattern', { path: '/api/(' }],
  ];
  test.each(wrong)('%s', (_, change) => {
    expect(() => new Transforms([rule(change as Partial<TransformRule>)])).toThrow(
      /^Wrong transform rule \(.+\): [^\n]+$/,
    );
  });
});
