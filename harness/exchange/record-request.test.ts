import { expect, test } from 'bun:test';
import { differenceIn, recordRequest, withAddedHeaders } from './record-request.ts';
import { requestSchema } from './request-schema.ts';

const request = (more: object) => requestSchema.parse(more);

/** What arrives of a request that a client sends to that path. */
async function record(path: string, init: RequestInit) {
  const { recorded } = await recordRequest('127.0.0.1', (origin) => fetch(origin + path, init));
  if (!recorded) throw new Error('nothing arrived');
  return recorded;
}

test('a request has the headers that its client adds, and keeps its own', async () => {
  const recorded = await record('/x', {
    method: 'POST',
    body: '{}',
    headers: { 'X-Own': '1', 'Content-Type': 'application/json' },
  });
  const asked = request({ method: 'POST', path: '/x', body: '{}', headers: { 'x-own': '1' } });
  expect(differenceIn(asked, recorded)).toBeUndefined();
  const { headers, chunked } = withAddedHeaders(asked, recorded);
  expect(headers).toMatchObject({ 'x-own': '1', 'Content-Type': 'application/json' });
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  for (const name of ['host', 'connection', 'content-length']) expect(names).not.toContain(name);
  expect(chunked).toBe(false);
});

test.each([
  [{ path: '/a%2Fb' }, '/a/b', {}, '"GET /a/b" where the suite says "GET /a%2Fb"'],
  [
    { method: 'POST', body: 'x' },
    '/',
    { method: 'POST', body: 'y' },
    'another body than the suite',
  ],
  [
    { headers: { 'X-Own': 'secret' } },
    '/',
    { headers: { 'x-own': 'other' } },
    'another X-Own than the suite, or several',
  ],
])(
  'what is sent otherwise is told, but no value of a header: %j',
  async (more, path, init, text) => {
    expect(differenceIn(request(more), await record(path, init))).toBe(text);
  },
);

test('a client that sends nothing leaves no record', async () => {
  const { sent, recorded } = await recordRequest('127.0.0.1', async () => 'nothing');
  expect(sent).toBe('nothing');
  expect(recorded).toBeUndefined();
});
