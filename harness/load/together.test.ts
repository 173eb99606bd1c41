import { expect, test } from 'bun:test';
import { Host } from '../machine/host.ts';
import { bombardier } from './bombardier.ts';
import { loadCommands } from './run-load.ts';
import { together } from './together.ts';
import type { Load } from './tool.ts';

const latency = (mean: number, p99: number | null) => ({
  ...{ mean, p50: mean, p90: null, p95: mean, p99, max: 2 * mean },
});
const part = (name: string, requests: number, latencyUs: ReturnType<typeof latency> | null) => ({
  host: new Host(name, undefined),
  result: { requests, seconds: 1 + requests / 1e3, errors: [], latencyUs },
});
const load: Load = {
  origin: 'http://198.18.0.1:3000',
  requests: [{ weight: 1, method: 'GET', path: '/', headers: {}, chunked: false }],
  ...{ connections: 5, durationSeconds: 1 },
};

test('requests add up, the mean is that of all of them, and percentiles are the worst', () => {
  const result = together([part('a', 300, latency(100, 900)), part('b', 100, latency(200, 800))]);
  expect(result).toMatchObject({ requests: 400, seconds: 1.3 });
  expect(result.latencyUs).toEqual({ mean: 125, p50: 200, p90: null, p95: 200, p99: 900, max: 400 });
  expect(result.hosts).toMatchObject([
    { host: 'a', requests: 300, latencyUs: { p99: 900 } },
    { host: 'b', requests: 100, latencyUs: { p99: 800 } },
  ]);
});

test('a percentile that one of them does not tell is not told, and one without an answer has none', () => {
  expect(together([part('a', 300, latency(100, 900)), part('b', 1, latency(1, null))]).latencyUs?.p99).toBeNull();
  expect(together([part('a', 300, latency(100, 900)), part('b', 0, null)]).latencyUs).toEqual(latency(100, 900));
});

test('errors of all of them count', () => {
  const error = (detail: string) => ({ detail, count: 2 });
  const failed = (name: string) => ({ ...part(name, 0, null), host: undefined });
  const results = ['a', 'b'].map((name) => ({
    ...failed(name),
    result: { ...failed(name).result, errors: [error(name)] },
  }));
  const result = together(results);
  expect(result.errors).toEqual([error('a'), error('b')]);
  expect(result).toMatchObject({ requests: 0, latencyUs: null });
  expect('hosts' in result).toBe(false);
});

test('connections and rate are divided, and nothing is lost', () => {
  const programs = ['a', 'b'].map((name) => ({ path: 'tool', host: new Host(name, undefined) }));
  const call = (more: Partial<Load>) =>
    loadCommands({ tool: bombardier, version: '', programs }, { ...load, ...more }, undefined).map(
      ({ host, argv }) => `${host?.name}: ${argv.slice(2, argv.indexOf('--latencies')).join(' ')}`,
    );
  expect(call({ rate: 11 })).toEqual(['a: -c 3 -d 1s -r 6', 'b: -c 2 -d 1s -r 5']);
  expect(call({ connections: 1 })).toEqual(['a: -c 1 -d 1s']);
  expect(call({ connections: 1, rate: 10 })).toEqual(['a: -c 1 -d 1s -r 10']);
  expect(call({ rate: 1 })).toEqual(['a: -c 5 -d 1s -r 1']);
});
