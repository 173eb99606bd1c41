import { expect, test } from 'bun:test';
import { bombardier } from '../load/bombardier.ts';
import type { Load, WeightedRequest } from '../load/tool.ts';
import { asSent } from './requests-as-sent.ts';

const GET: WeightedRequest = {
  weight: 1,
  method: 'GET',
  path: '/',
  headers: {},
  chunked: false,
};

test('a header that a tool sends otherwise is refused, and its value is not told', async () => {
  const argv = ({ origin }: Load) => [
    '-e',
    `await fetch('${origin}', { headers: { 'x-own': 'other' } })`,
  ];
  const parse = () => ({ seconds: 1, statuses: { '2xx': 1 }, failures: {}, latencyUs: null });
  const found = {
    tool: { ...bombardier, argv, parse },
    path: process.execPath,
    version: '',
    host: undefined,
  };
  const request = (value: string) =>
    asSent(found, { ...GET, headers: { 'X-Own': value } }, '127.0.0.1');
  expect(await request('other')).toMatchObject({ headers: { 'X-Own': 'other' } });
  const message = 'bombardier sends another X-Own than the suite, or several';
  await expect(request('secret')).rejects.toMatchObject({ message });
});
