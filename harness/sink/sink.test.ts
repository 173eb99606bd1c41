import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { type Sink, startSink } from './sink.ts';

const MIB = 1024 ** 2;

const send = async (
  { address }: Sink,
  body: Uint8Array<ArrayBuffer> | ReadableStream | string,
  headers: Record<string, string> = {},
) => {
  const request = fetch(`http://${address}/v1/traces`, { method: 'POST', body, headers });
  return request.then(({ status }) => status).catch(() => undefined);
};

test('counts what comes, and whatever comes keeps little of it', async () => {
  const sink = await startSink(undefined);
  try {
    const json = { 'content-type': 'application/json' };
    expect(await send(sink, JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [{}, {}] }] }] }), json)).toBe(
      200,
    );
    expect(await sink.counts()).toEqual({ spans: 2, refused: [], fault: null });
    const large = new Uint8Array(40 * MIB);
    const endless = () => {
      let left = 60;
      return new ReadableStream({
        pull: (stream) => (left-- > 0 ? stream.enqueue(new Uint8Array(MIB)) : stream.close()),
      });
    };
    const bomb = Bun.gzipSync(new Uint8Array(200 * MIB));
    await Promise.all([
      ...Array.from({ length: 8 }, () => send(sink, large)),
      ...Array.from({ length: 20 }, () => send(sink, new Uint8Array(15 * MIB))),
      ...Array.from({ length: 4 }, () => send(sink, endless())),
      ...Array.from({ length: 8 }, () => send(sink, bomb, { 'content-encoding': 'gzip' })),
    ]);
    expect(await sink.counts()).toEqual({ spans: 2, refused: [], fault: expect.stringContaining('/v1/traces: ') });
    if (process.platform === 'linux') {
      const peakKib = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${sink.child.pid}/status`, 'utf8'))?.[1]);
      expect(peakKib / 1024).toBeLessThan(800);
    }
  } finally {
    await sink.child.stop();
  }
}, 60_000);

test('says what it does not take', async () => {
  const sink = await startSink(undefined);
  for (const path of ['/v1/other', '/v1/other', '/']) await fetch(`http://${sink.address}${path}`, { method: 'POST' });
  expect((await sink.counts()).refused).toEqual([
    { request: 'POST /v1/other', count: 2 },
    { request: 'POST /', count: 1 },
  ]);
  await sink.child.stop();
});

test('one that is killed says so, and so does one that can not start', async () => {
  const sink = await startSink(undefined);
  process.kill(sink.child.pid, 'SIGKILL');
  while ((await sink.counts()).fault === null) await Bun.sleep(5);
  await Bun.sleep(50);
  expect(await sink.counts()).toMatchObject({ fault: expect.stringContaining('the sink ended with signal SIGKILL') });
  await sink.child.stop();
  if (!Bun.which('taskset')) return;
  const nowhere = await startSink({ serverCore: '0', toolCores: '4000', toolCoreCount: 1, sinkCore: null });
  expect(await nowhere.counts()).toMatchObject({
    fault: expect.stringMatching(/^the sink ended with status 1: taskset/),
  });
  await nowhere.child.stop();
});
