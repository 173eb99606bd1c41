import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { FileSpanExporter } from './file-exporter.ts';
import { Inspector } from './index.ts';

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

async function record(count: number, options: { maxBytes?: number; maxFiles?: number; path?: string } = {}) {
  const inspector = new Inspector({
    spanExporter: new FileSpanExporter({ path, ...options }),
    spanCapacity: 10_000,
  });
  for (let i = 0; i < count; i++) inspector.instruments.traces.trace(`span ${i}`, () => {});
  await inspector.shutdown();
  return inspector.instruments.traces.counts;
}

test('writes one line a span, and appends after a restart', async () => {
  const inspector = new Inspector({ spanExporter: new FileSpanExporter({ path }), bodies: {} });
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

test('rotates by size, and keeps so many files', async () => {
  await record(100, { maxBytes: 4000, maxFiles: 3 });
  expect((await readdir(folder)).sort()).toEqual(['spans.jsonl', 'spans.jsonl.1', 'spans.jsonl.2']);
  const kept = [];
  for (const file of [`${path}.2`, `${path}.1`, path]) {
    expect((await stat(file)).size).toBeLessThanOrEqual(4000);
    kept.push(...(await lines(file)).map((span) => span.name));
  }
  expect(kept).toEqual(Array.from(kept, (_, index) => `span ${100 - kept.length + index}`));
  await record(100, { maxBytes: 4000, maxFiles: 1 });
  expect((await stat(path)).size).toBeLessThanOrEqual(4000);
});

test.each([{ maxBytes: 0 }, { maxFiles: 0 }, { maxFiles: 2.5 }, { maxFiles: Number.POSITIVE_INFINITY }])(
  '%p is refused',
  (wrong) => {
    expect(() => new FileSpanExporter({ path, ...wrong })).toThrow(`but is ${Object.values(wrong)[0]}`);
  },
);

test('a write that fails costs its spans', async () => {
  expect(await record(3, { path: join(folder, 'missing', 'spans') })).toEqual({
    started: 3,
    exported: 0,
    dropped: 3,
  });
});

test('what is left of a line that was cut off does not run into the next one', async () => {
  await writeFile(path, '{"traceId":"0a');
  await record(2);
  const [, ...whole] = (await readFile(path, 'utf8')).trimEnd().split('\n');
  expect(whole.map((line) => JSON.parse(line).name)).toEqual(['span 0', 'span 1']);
});

test('only the owner can read the files', async () => {
  await record(100, { maxBytes: 4000, maxFiles: 2 });
  for (const file of [path, `${path}.1`]) expect((await stat(file)).mode & 0o777).toBe(0o600);
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
    for (const options of [{}, { maxBytes: 1 }]) {
      expect(await record(3, options)).toEqual({ started: 3, exported: 0, dropped: 3 });
    }
    expect((await readdir(folder)).sort()).toEqual(content === undefined ? ['spans.jsonl'] : ['spans.jsonl', 'target']);
    if (content !== undefined) expect(await readFile(target(), 'utf8')).toBe(content);
  });

  test('also if it appears between two writes', async () => {
    await writeFile(target(), 'kept');
    const inspector = new Inspector({ spanExporter: new FileSpanExporter({ path }) });
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

  test('at the names of older files: it is replaced', async () => {
    await writeFile(target(), 'kept');
    await symlink(target(), `${path}.1`);
    await record(100, { maxBytes: 4000, maxFiles: 2 });
    expect((await lstat(`${path}.1`)).isFile()).toBe(true);
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
  const exporter = new FileSpanExporter({ path });
  const inspector = new Inspector({ spanExporter: exporter, spanCapacity: 100_000 });
  for (let i = 0; i < 20_000; i++) inspector.instruments.traces.trace('span', () => {});
  last = performance.now();
  longest = 0;
  await inspector.flush();
  clearInterval(timer);
  expect(longest).toBeLessThan(100);
  expect(await lines(path)).toHaveLength(20_000);
});
