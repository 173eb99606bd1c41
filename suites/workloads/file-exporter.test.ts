import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HrTime } from '@opentelemetry/api';
import { Inspector } from '@tracetax/inspector';
import { Hono } from 'hono';
import { FileSpanExporter } from './file-exporter.ts';

let folder = '';
let path = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spans-'));
  path = join(folder, 'spans.jsonl');
});
afterEach(() => rm(folder, { recursive: true }));

const lines = async (file: string) =>
  (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

async function record(count: number, exporter = new FileSpanExporter(path)) {
  const inspector = new Inspector({ spanExporter: exporter, spanCapacity: 10_000 });
  for (let i = 0; i < count; i++) inspector.instruments.traces.trace(`span ${i}`, () => {});
  await inspector.shutdown();
  return inspector.instruments.traces.counts;
}

test('writes one line a span, and appends after a restart', async () => {
  const inspector = new Inspector({ spanExporter: new FileSpanExporter(path), bodies: {} });
  const { trace } = inspector.instruments.traces;
  const app = inspector.instrument(
    new Hono().get('/users/:id', (c) => {
      trace('load', (span) => span.addEvent('loaded', { rows: 1 }));
      throw new Error(c.req.param('id'));
    }),
  );
  app.onError((_, c) => c.text('sorry', 500));
  await app.request('/users/7');
  await inspector.shutdown();
  const [inner, server] = await lines(path);
  expect(inner).toMatchObject({
    name: 'load',
    kind: 'INTERNAL',
    parentSpanId: server.spanId,
    traceId: server.traceId,
  });
  expect(inner.events).toMatchObject([{ name: 'loaded', attributes: { rows: 1 } }]);
  expect(server).toMatchObject({
    name: 'GET /users/:id',
    kind: 'SERVER',
    status: { code: 'ERROR', message: '7' },
    attributes: { 'http.route': '/users/:id', 'http.response.body.content': 'sorry' },
  });
  expect(server.parentSpanId).toBeUndefined();
  expect(server.endTime > server.startTime).toBe(true);
  await record(1);
  expect(await lines(path)).toHaveLength(3);
});

test('times are to the ns', async () => {
  const inspector = new Inspector({ spanExporter: new FileSpanExporter(path) });
  const times: HrTime[] = [
    [1_700_000_000, 0],
    [1_700_000_000, 5],
    [1_700_000_000, 999_999_999],
    [1_700_000_001, 1],
  ];
  inspector.instruments.traces.trace('span', (span) => {
    Object.assign(span, { events: times.map((time) => ({ name: 'event', time })) });
  });
  await inspector.shutdown();
  const [{ events }] = await lines(path);
  expect(events.map(({ time }: { time: string }) => time)).toEqual([
    '2023-11-14T22:13:20.000000000Z',
    '2023-11-14T22:13:20.000000005Z',
    '2023-11-14T22:13:20.999999999Z',
    '2023-11-14T22:13:21.000000001Z',
  ]);
});

test('a file that would become too large is begun anew', async () => {
  const exporter = new FileSpanExporter(path, 4000);
  for (const count of [10, 10, 10]) {
    await record(count, exporter);
    expect((await stat(path)).size).toBeLessThanOrEqual(4000);
  }
  expect((await lines(path)).map(({ name }) => name)).toEqual(
    Array.from({ length: 10 }, (_, index) => `span ${index}`),
  );
  expect(await readdir(folder)).toEqual(['spans.jsonl']);
});

test('a write that fails costs its spans', async () => {
  expect(await record(3, new FileSpanExporter(join(folder, 'missing', 'spans')))).toEqual({
    started: 3,
    exported: 0,
    dropped: 3,
  });
});

test('only the owner can read the file', async () => {
  await record(100);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

describe('a symbolic link at the path is not followed', () => {
  const target = () => join(folder, 'target');

  test.each([
    ['to a file', 'kept'],
    ['to nothing', undefined],
    ['to a file that is larger than a file of spans', 'x'.repeat(5000)],
  ])('%s', async (_, content) => {
    if (content !== undefined) await writeFile(target(), content);
    await symlink(target(), path);
    for (const maxBytes of [undefined, 1]) {
      expect(await record(3, new FileSpanExporter(path, maxBytes))).toEqual({ started: 3, exported: 0, dropped: 3 });
    }
    expect((await readdir(folder)).sort()).toEqual(content === undefined ? ['spans.jsonl'] : ['spans.jsonl', 'target']);
    if (content !== undefined) expect(await readFile(target(), 'utf8')).toBe(content);
  });

  test('also if it appears between two writes', async () => {
    await writeFile(target(), 'kept');
    const inspector = new Inspector({ spanExporter: new FileSpanExporter(path) });
    const { traces } = inspector.instruments;
    traces.trace('first', () => {});
    await inspector.flush();
    await rm(path);
    await symlink(target(), path);
    traces.trace('second', () => {});
    await inspector.shutdown();
    expect(traces.counts).toEqual({ started: 2, exported: 1, dropped: 1 });
    expect(await readFile(target(), 'utf8')).toBe('kept');
  });
});

test('many spans are written without holding up the event loop', async () => {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  const exporter = new FileSpanExporter(path);
  const inspector = new Inspector({ spanExporter: exporter, spanCapacity: 100_000 });
  for (let i = 0; i < 20_000; i++) inspector.instruments.traces.trace('span', () => {});
  last = performance.now();
  longest = 0;
  await inspector.flush();
  clearInterval(timer);
  expect(longest).toBeLessThan(100);
  expect(await lines(path)).toHaveLength(20_000);
});
