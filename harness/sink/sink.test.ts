import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { RECEIVERS, type Receiver } from '../result/pair-schema.ts';
import { type Sink, startSink } from './sink.ts';

const MIB = 1024 ** 2;

const send = ({ address }: Sink, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(`http://${address}/v1/traces`, { method: 'POST', body, headers }).catch(() => undefined);

test('counts what comes, and whatever comes keeps little of it', async () => {
  await using sink = await startSink(undefined);
  const two = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [{}, {}] }] }] });
  await send(sink, two, { 'content-type': 'application/json' });
  expect(await sink.counts()).toEqual({ spans: 2, payloads: 1, bytes: two.length, refused: [], fault: null });
  const bomb = Bun.gzipSync(new Uint8Array(200 * MIB));
  await Promise.all([
    ...Array.from({ length: 8 }, () => send(sink, new Uint8Array(40 * MIB))),
    ...Array.from({ length: 20 }, () => send(sink, new Uint8Array(15 * MIB))),
    ...Array.from({ length: 8 }, () => send(sink, bomb, { 'content-encoding': 'gzip' })),
  ]);
  expect(await sink.counts()).toMatchObject({ spans: 2, payloads: 1, fault: expect.stringContaining('/v1/traces: ') });
  const peakKib = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${sink.child.pid}/status`, 'utf8'))?.[1]);
  expect(peakKib / 1024).toBeLessThan(800);
}, 60_000);

test('says what it does not take, and that it was killed', async () => {
  await using sink = await startSink(undefined);
  for (const path of ['/v1/other', '/v1/other', '/']) await fetch(`http://${sink.address}${path}`, { method: 'POST' });
  expect((await sink.counts()).refused).toEqual([
    { request: 'POST /v1/other', count: 2 },
    { request: 'POST /', count: 1 },
  ]);
  process.kill(sink.child.pid, 'SIGKILL');
  await sink.child.exited;
  expect(await sink.counts()).toMatchObject({ fault: expect.stringContaining('the sink ended with signal SIGKILL') });
});

test.skipIf(!Bun.which('taskset'))('one that can not start says so', async () => {
  await using sink = await startSink({ serverCore: '0', toolCores: '4000', toolCoreCount: 1, sinkCore: null });
  const { fault } = await sink.counts();
  expect(fault).toMatch(/^the sink ended with status 1: taskset/);
});

test('a receiver in trouble: slow, overloaded, silent or gone, and it can be asked all the while', async () => {
  const two = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [{}, {}] }] }] });
  const outcomeOf = async (receiver: Receiver) => {
    await using sink = await startSink(undefined, { uncounted: [], receiver });
    const answer = send(sink, two, { 'content-type': 'application/json' });
    const status = await Promise.race([
      answer.then((each) => each?.status ?? 'refused'),
      Bun.sleep(3_000).then(() => 'silent'),
    ]);
    const { spans, fault } = await sink.counts();
    return { status, spans, fault };
  };
  expect(await Promise.all(RECEIVERS.map(outcomeOf))).toEqual([
    { status: 200, spans: 2, fault: null },
    { status: 200, spans: 2, fault: null },
    { status: 503, spans: 0, fault: null },
    { status: 'silent', spans: 0, fault: null },
    { status: 'refused', spans: 0, fault: null },
  ]);
}, 30_000);
