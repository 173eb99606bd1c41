import { expect, test } from 'bun:test';
import { countRefusal, describeRefusals, type RefusedRequests } from './refusals.ts';

test('requests are told apart by name and kind, and said in sentences', () => {
  const refused: RefusedRequests[] = [];
  countRefusal(refused, 'unknown-path', 'POST /v1/traces');
  countRefusal(refused, 'broken-off', 'POST /v1/traces');
  countRefusal(refused, 'unknown-path', 'POST /v1/traces');
  expect(describeRefusals(refused)).toEqual([
    '2 x POST /v1/traces were refused',
    '1 x POST /v1/traces, broken off, was refused',
  ]);
});

test('after ten different requests, all others are counted together', () => {
  const refused: RefusedRequests[] = [];
  for (let path = 0; path < 13; path++) countRefusal(refused, 'unknown-path', `POST /${path}`);
  countRefusal(refused, 'unknown-path', 'POST /0');
  expect(refused).toHaveLength(11);
  expect(refused[0]).toMatchObject({ kind: 'unknown-path', name: 'POST /0', count: 2 });
  expect(refused[10]).toEqual({ kind: 'other', name: '', request: 'other requests', count: 3 });
});
