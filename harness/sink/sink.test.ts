import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { type Sink, startSink } from './sink.ts';

const MIB = 1024 ** 2;
const spansNamed = (...names: string[]) =>
  JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: names.map((name) => ({ name })) }] }] });
const TWO = spansNamed('one', 'two');
const JSON_TYPE = { 'content-type': 'application/json' };

const send = (
  { address }: Sink,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) => fetch(`http://${address}/v1/traces`, { method: 'POST', body, headers }).catch(() => undefined);

test('a sink counts what comes, and keeps little of it, however large it is', async () => {
  await using sink = await startSink(undefined);
  await send(sink, TWO, JSON_TYPE);
  expect(await sink.counts()).toEqual({
    spans: 2,
    payloads: 1,
    bytes: TWO.length,
    refused: [],
    fault: null,
  });
  const bomb = Bun.gzipSync(new Uint8Array(200 * MIB));
  await Promise.all([
    ...Array.from({ length: 8 }, () => send(sink, new Uint8Array(40 * MIB))),
    ...Array.from({ length: 20 }, () => send(sink, new Uint8Array(15 * MIB))),
    ...Array.from({ length: 8 }, () => send(sink, bomb, { 'content-encoding': 'gzip' })),
  ]);
  expect(await sink.counts()).toMatchObject({
    spans: 2,
    payloads: 1,
    fault: expect.stringContaining('/v1/traces: '),
  });
  const peakKib = Number(
    /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${sink.child.pid}/status`, 'utf8'))?.[1],
  );
  expect(peakKib / 1024).toBeLessThan(1_200);
}, 120_000);

test('a sink says what it does not take, and that it was killed', async () => {
  await using sink = await startSink(undefined);
  for (const _ of [1, 2]) await fetch(`http://${sink.address}/v1/other`, { method: 'POST' });
  expect((await sink.counts()).refused).toEqual([{ request: 'POST /v1/other', count: 2 }]);
  process.kill(sink.child.pid, 'SIGKILL');
  await sink.child.exited;
  expect(await sink.counts()).toMatchObject({
    fault: expect.stringContaining('the sink ended with signal SIGKILL'),
  });
});

test.skipIf(!Bun.which('taskset'))('a sink that can not start says so', async () => {
  await using sink = await startSink({
    serverCore: '0',
    toolCores: '4000',
    toolCoreCount: 1,
    sinkCore: null,
  });
  const { fault } = await sink.counts();
  expect(fault).toMatch(/^the sink ended with status 1; it said: taskset/);
});

test('the process behaves as it is told, and does not count what it is told not to', async () => {
  await using slow = await startSink(undefined, { uncounted: ['beat'], receiver: 'slow' });
  const startedMs = performance.now();
  expect((await send(slow, spansNamed('beat', 'span'), JSON_TYPE))?.status).toBe(200);
  expect(performance.now() - startedMs).toBeGreaterThan(900);
  expect(await slow.counts()).toMatchObject({ spans: 1, fault: null });
});

test('nobody listens where a receiver is gone, and its sink can be asked', async () => {
  await using sink = await startSink(undefined, { uncounted: [], receiver: 'gone' });
  expect(await send(sink, TWO, JSON_TYPE)).toBeUndefined();
  expect(await sink.counts()).toMatchObject({ spans: 0, fault: null });
});
