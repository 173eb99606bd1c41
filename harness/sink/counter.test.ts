import { expect, test } from 'bun:test';
import type { ReceiverBehaviour } from '../result/pair-schema.ts';
import type { NamePattern } from '../suite/telemetry.ts';
import { Counter, type SinkCounts } from './counter.ts';

const URL_OF_SINK = 'http://127.0.0.1';

function exportRequest(...names: string[]): Request {
  const spans = names.map((name) => ({ name }));
  return new Request(`${URL_OF_SINK}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
  });
}

async function countsOf(counter: Counter): Promise<SinkCounts> {
  const answer = await counter.answer(new Request(`${URL_OF_SINK}/counts`));
  return (await answer.json()) as SinkCounts;
}

/** What a counter did with a request of two spans. */
interface Outcome {
  status: number | 'silent';
  spans: number;
  sleptMs: number;
}

/** Sends two spans to a counter that behaves like this. */
async function outcomeOf(behaviour: ReceiverBehaviour): Promise<Outcome> {
  let sleptMs = 0;
  const counter = new Counter([], behaviour, async (ms) => {
    sleptMs += ms;
  });
  const answer = counter.answer(exportRequest('one', 'two'));
  const silence = Bun.sleep(20).then(() => undefined);
  const status = (await Promise.race([answer, silence]))?.status ?? 'silent';
  const { spans, fault } = await countsOf(counter);
  expect(fault).toBeNull();
  return { status, spans, sleptMs };
}

test.each<[ReceiverBehaviour, Outcome]>([
  ['takes', { status: 200, spans: 2, sleptMs: 0 }],
  ['slow', { status: 200, spans: 2, sleptMs: 1_000 }],
  ['refuses', { status: 503, spans: 0, sleptMs: 0 }],
  ['hangs', { status: 'silent', spans: 0, sleptMs: 0 }],
])('a receiver that "%s" can be asked for its counts all the while', async (behaviour, outcome) => {
  expect(await outcomeOf(behaviour)).toEqual(outcome);
});

test.each<[NamePattern[], number]>([
  [[], 3],
  [['beat'], 2],
  [['other'], 3],
  [['beat', { pattern: '^GET' }], 1],
])('without spans of the names %j, %i of three spans are counted', async (uncounted, spans) => {
  const counter = new Counter(uncounted, 'takes');
  await counter.answer(exportRequest('beat', 'GET /', 'inner'));
  expect(await countsOf(counter)).toMatchObject({ spans, payloads: 1 });
});

test('payloads of metrics are counted apart', async () => {
  const counter = new Counter([], 'takes');
  await counter.answer(exportRequest('one'));
  const headers = { 'content-type': 'application/json' };
  const url = `${URL_OF_SINK}/v1/metrics`;
  await counter.answer(new Request(url, { method: 'POST', headers, body: '{}' }));
  expect(await countsOf(counter)).toMatchObject({ spans: 1, payloads: 2, metricPayloads: 1 });
});

test('log records are counted', async () => {
  const counter = new Counter([], 'takes');
  const logRecords = [{ body: {} }, { body: {} }, { body: {} }];
  const request = new Request(`${URL_OF_SINK}/v1/logs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }),
  });
  await counter.answer(request);
  expect(await countsOf(counter)).toMatchObject({ spans: 0, payloads: 1, logRecords: 3 });
});

test('profiles are counted', async () => {
  const counter = new Counter([], 'takes');
  const post = (path: string, type: string, body: string | Uint8Array<ArrayBuffer>) => {
    const headers = { 'content-type': type };
    return counter.answer(new Request(`${URL_OF_SINK}${path}`, { method: 'POST', headers, body }));
  };
  await post('/profiling/v1/input', 'multipart/form-data; boundary=x', '--x\r\n\r\npprof\r\n--x--');
  await post('/ingest?format=pprof', 'application/octet-stream', Bun.gzipSync('pprof'));
  await post('/ingest', 'application/octet-stream', new Uint8Array(5));
  const fault = '/ingest: it holds no profile';
  expect(await countsOf(counter)).toMatchObject({ profiles: 2, payloads: 2, fault });
});

test('refused requests are told by name and number alone, as a result keeps them', async () => {
  const counter = new Counter([], 'takes');
  counter.refuse('not-http');
  for (const _ of [1, 2]) counter.refuse('unknown-path', 'POST /v1/other');
  expect((await countsOf(counter)).refused).toEqual([
    { request: 'TLS or another protocol', count: 1 },
    { request: 'POST /v1/other', count: 2 },
  ]);
});
