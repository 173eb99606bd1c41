import { describe, expect, test } from 'bun:test';
import {
  compileRule,
  selectRules,
  type TransformRule,
  transformBody,
  transformHeader,
} from './transforms.ts';

const sha12 = (value: string) => Bun.CryptoHasher.hash('sha256', value, 'hex').slice(0, 12);

function rule(change: Partial<TransformRule>): TransformRule {
  return { direction: 'request', method: 'POST', path: '/api/users', action: 'redact', ...change };
}

function transform(rules: Partial<TransformRule>[], body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const compiled = rules.map((each) => compileRule(rule(each)));
  return transformBody(compiled, text, true);
}

describe('values in JSON', () => {
  test('are found nested, in arrays, at any depth, and inside one another', () => {
    const body = {
      a: { cards: [{ number: '1' }, { number: 22 }] },
      cards: [{ number: { deep: 'x' } }],
    };
    const text = transform(
      [{ jsonPath: '$..cards[*].number', action: 'mask' }, { jsonPath: '$..deep' }],
      body,
    );
    expect(JSON.parse(text as string)).toEqual({
      a: { cards: [{ number: '*' }, { number: '**' }] },
      cards: [{ number: '*'.repeat('{"deep":"x"}'.length) }],
    });
    expect(transform([{ jsonPath: '$' }], '"secret"')).toBe(`"REDACTED_${sha12('secret')}"`);
    expect(transform([{ jsonPath: '$.a', action: 'replace', replacement: '-' }], { a: 1 })).toBe(
      '{"a":"-"}',
    );
  });

  test('are found by each rule, whatever another one hides', () => {
    const rules = [
      { jsonPath: '$.kind' },
      { jsonPath: "$[?@ == 'card']", action: 'mask' } as const,
    ];
    const text = transform(rules, '{"kind":"card","other":"card"}');
    expect(JSON.parse(text as string).other).toBe('****');
    expect(transform([{ jsonPath: '$.a.ssn' }], '{"a":{"ssn":"078"},"a":1}')).toBe('{"a":1}');
  });

  test('leave nothing of the body if they cannot be found for certain, or are dropped', () => {
    const rules = [{ jsonPath: '$..ssn', action: 'mask' } as const];
    expect(transform(rules, 'ssn=078-05-1120')).toBeUndefined();
    expect(transform(rules, `${'['.repeat(200)}{"ssn":1}${']'.repeat(200)}`)).toBeUndefined();
    expect(transform([{ jsonPath: '$.ssn', action: 'drop' }], { ssn: 1 })).toBeUndefined();
    expect(transform([{ jsonPath: '$.ssn', action: 'drop' }], { a: 1 })).toBe('{"a":1}');
  });
});

test('whole bodies and headers', () => {
  expect(transform([{}], 'secret')).toBe(`REDACTED_${sha12('secret')}`);
  expect(transform([{ action: 'replace', replacement: '-' }], 'secret')).toBe('-');
  expect(transform([{ action: 'drop' }], 'secret')).toBeUndefined();
  const headerRules = [
    rule({ header: 'Authorization', action: 'mask' }),
    rule({ header: 'cookie', action: 'drop' }),
  ];
  const rules = headerRules.map(compileRule);
  expect(transformHeader(rules, 'authorization', 'Bearer')).toBe('******');
  expect(transformHeader(rules, 'cookie', 'a=b')).toBeUndefined();
  expect(transformHeader(rules, 'accept', '*/*')).toBe('*/*');
});

test('rules apply by direction, method and path, however the path is spelt', () => {
  const applies = (
    method: string,
    direction: 'request' | 'response',
    path: string,
    sent: string,
  ) => {
    const rules = [compileRule(rule({ path: '/api/users/:id', method }))];
    return (
      selectRules(rules, direction, new Request(`http://localhost${path}`, { method: sent }))
        .length === 1
    );
  };
  for (const path of ['/api/users/7', '/api/users/7?a=1', '/api/%75sers/7', '/api/users/7/'])
    expect(applies('put', 'request', path, 'PUT')).toBe(true);
  expect(applies('PUT', 'response', '/api/users/7', 'PUT')).toBe(false);
  expect(applies('PUT', 'request', '/api/users/7', 'POST')).toBe(false);
  expect(applies('PUT', 'request', '/api/users', 'PUT')).toBe(false);
  // The same handler answers both.
  expect(applies('GET', 'request', '/api/users/7', 'HEAD')).toBe(true);
  expect(applies('HEAD', 'request', '/api/users/7', 'GET')).toBe(false);
});

test.each([
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
  ['a misspelt name', { jsonpath: '$.a' }],
])('a wrong rule throws one line: %s', (_, change) => {
  expect(() => compileRule(rule(change as Partial<TransformRule>))).toThrow(
    /^Wrong transform rule \{.+\}: [^\n]+$/,
  );
});
