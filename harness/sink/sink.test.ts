import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { type Sink, startSink } from './sink.ts';

const MIB = 1024 ** 2;

/** Returns an OTLP payload, as JSON, with a span of each name. */
function spansNamed(...names: string[]): string {
  const spans = names.map((name) => ({ name }));
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
}

const TWO = spansNamed('one', 'two');
const JSON_TYPE = { 'content-type': 'application/json' };

const GZIP = { 'content-encoding': 'gzip' };

/** Resolves with the answer; undefined if nobody answers. */
function send(
  { address }: Sink,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Response | undefined> {
  const request = { method: 'POST', body, headers };
  return fetch(`http://${address}/v1/traces`, request).catch(() => undefined);
}

/** Returns the most memory that the process of the sink has had at once. */
function peakMemoryMib({ child }: Sink): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

test('a sink counts spans, payloads and bytes', async () => {
  await using sink = await startSink(undefined);
  await send(sink, TWO, JSON_TYPE);
  expect(await sink.counts()).toEqual({
    spans: 2,
    payloads: 1,
    metricPayloads: 0,
    logRecords: 0,
    profiles: 0,
    bytes: TWO.length,
    refused: [],
    fault: null,
  });
});

test('a sink keeps neither what it took nor what is too large, compressed or not', async () => {
  await using sink = await startSink(undefined);
  await send(sink, TWO, JSON_TYPE);
  const tooLarge = new Uint8Array(40 * MIB);
  const zipped = Bun.gzipSync(new Uint8Array(15 * MIB));
  const bomb = Bun.gzipSync(new Uint8Array(512 * MIB));
  await Promise.all([
    send(sink, tooLarge),
    // A sink that kept these payloads, or inflated the bomb, would need 480 or 512 MiB.
    ...Array.from({ length: 32 }, () => send(sink, zipped, GZIP)),
    send(sink, bomb, GZIP),
  ]);
  expect(await sink.counts()).toMatchObject({
    spans: 2,
    payloads: 1,
    fault: expect.stringContaining('/v1/traces: '),
  });
  expect(peakMemoryMib(sink)).toBeLessThan(450);
}, 300_000);

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

test.skipIf(!Bun.which('taskset'))('a sink that can not start says why', async () => {
  await using sink = await startSink({
    serverCore: '0',
    toolCores: '4000',
    toolCoreCount: 1,
    sinkCore: null,
  });
  const { fault } = await sink.counts();
  expect(fault).toMatch(/^the sink ended with status 1; it said: taskset/);
});

test('a slow sink takes its time, and counts no span that it is told to leave out', async () => {
  await using slow = await startSink(undefined, { uncounted: ['beat'], receiver: 'slow' });
  const startedMs = performance.now();
  expect((await send(slow, spansNamed('beat', 'span'), JSON_TYPE))?.status).toBe(200);
  expect(performance.now() - startedMs).toBeGreaterThan(900);
  expect(await slow.counts()).toMatchObject({ spans: 1, fault: null });
});

test('nobody listens where a receiver is gone, and its sink tells its counts', async () => {
  await using sink = await startSink(undefined, { uncounted: [], receiver: 'gone' });
  expect(await send(sink, TWO, JSON_TYPE)).toBeUndefined();
  expect(await sink.counts()).toMatchObject({ spans: 0, fault: null });
});
