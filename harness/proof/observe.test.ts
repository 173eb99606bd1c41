import { expect, test } from 'bun:test';
import type { PlannedServer } from '../plan/planned-server.ts';
import type { Exchange } from '../suite/suite.ts';
import { taskSchema } from '../suite/suite-schema.ts';
import { fakeServer } from '../testing/fake-plan.ts';
import { type FakeBehaviour, fakeProofWorld } from '../testing/fake-proof-world.ts';
import { observe } from './observe.ts';

const PLACE = { pinning: undefined, listen: '127.0.0.1' };
const SETTLE_MS = 600;

/** How much is sent: requests of each kind. */
interface Amount {
  requests: number;
  kinds: number;
}

async function observed(
  behaviour: FakeBehaviour,
  server: Partial<PlannedServer> = {},
  { requests, kinds }: Amount = { requests: 2, kinds: 1 },
) {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://{sink}' };
  const planned: PlannedServer = { ...fakeServer('base'), env, ...server };
  const fake = fakeProofWorld(behaviour);
  const toSend = { exchanges: exchangesOfKinds(kinds), requestsEach: requests };
  const observation = await observe(PLACE, planned, toSend, fake.world);
  const names = observation.spans.map(({ name }) => name);
  return { ...fake, observation, names };
}

function exchangesOfKinds(count: number): Exchange[] {
  const exchanges = Array.from({ length: count }, (_, kind) => ({ request: { path: `/${kind}` } }));
  return taskSchema.parse({ name: 'default', exchanges }).exchanges;
}

test('each request is sent so often, and those that showed that it is ready count', async () => {
  const { names, requests, sleptMs, observation } = await observed(
    { onRequest: ({ sendSpans }) => sendSpans('GET /') },
    {},
    { requests: 25, kinds: 2 },
  );
  expect(requests()).toBe(50);
  expect(names).toEqual(Array(50).fill('GET /'));
  expect(observation).toMatchObject({ fault: null, refused: [], notes: [], processes: 1 });
  expect(sleptMs()).toBe(SETTLE_MS);
});

test('requests before a server was ready are forgotten, and spans of its start are kept', async () => {
  let requests = 0;
  const { names } = await observed(
    {
      failedAttempts: 3,
      onRequest: ({ sendSpans }) =>
        sendSpans(...(requests++ === 0 ? ['boot', 'GET /'] : ['GET /'])),
    },
    { uncounted: ['boot'] },
  );
  expect(names).toEqual(['boot', 'GET /', 'GET /']);
});

test('spans that are sent every 2 s are waited for', async () => {
  let waiting = 0;
  const { names, sleptMs } = await observed({
    onRequest: async () => void waiting++,
    onSleep: async ({ sendSpans }, nowMs) => {
      if (nowMs >= 2_000) await sendSpans(...Array(waiting).fill('GET /'));
      if (nowMs >= 2_000) waiting = 0;
    },
  });
  expect(names).toEqual(['GET /', 'GET /']);
  expect(sleptMs()).toBe(4 * SETTLE_MS);
});

test('spans that nobody counts do not end the waiting for those that count', async () => {
  let waiting = 0;
  const { names } = await observed(
    {
      onRequest: async ({ sendSpans }) => {
        waiting++;
        await sendSpans('poll', 'poll');
      },
      onSleep: async ({ sendSpans }, nowMs) => {
        if (nowMs < 2_000) return;
        await sendSpans(...Array(waiting).fill('GET /'));
        waiting = 0;
      },
    },
    { uncounted: ['poll'] },
  );
  expect(names.filter((name) => name === 'GET /')).toHaveLength(2);
});

const HALF = { perRequest: 1, sampled: 0.5 };
const NONE = { perRequest: 0, sampled: 1 };
test.each<[string, FakeBehaviour, Partial<PlannedServer>, number]>([
  ['a server that sends none: 6 s', {}, {}, 10 * SETTLE_MS],
  ['a server that is to send none: 6 s', {}, { spans: NONE }, 10 * SETTLE_MS],
  ['a server that sends all as it ends', {}, { flushesAtEnd: true }, SETTLE_MS],
  ['a server that has ended', { hasEnded: true }, {}, SETTLE_MS],
  ['spans of which chance may sample none', {}, { spans: HALF }, SETTLE_MS],
])('how long spans are waited for, of %s', async (_, behaviour, server, ms) => {
  const { sleptMs } = await observed(behaviour, server);
  expect(sleptMs()).toBe(ms);
});

test('spans that chance samples are waited for where there are surely some', async () => {
  const { sleptMs } = await observed({}, { spans: HALF }, { requests: 50, kinds: 1 });
  expect(sleptMs()).toBe(10 * SETTLE_MS);
});

test('a profile is waited for where one is claimed', async () => {
  let isSent = false;
  const { observation, sleptMs } = await observed(
    {
      onRequest: ({ sendSpans }) => sendSpans('GET /'),
      onSleep: async ({ env }, nowMs) => {
        if (isSent || nowMs < 1_000) return;
        isSent = true;
        const url = `${env.OTEL_EXPORTER_OTLP_ENDPOINT}/ingest`;
        const body = new FormData();
        body.append('profile', new Blob(['pprof']));
        await fetch(url, { method: 'POST', body });
      },
    },
    { exportsProfiles: true },
  );
  expect(observation).toMatchObject({ profiles: 1, fault: null });
  expect(sleptMs()).toBe(2 * SETTLE_MS);
});

test('what is exported on SIGTERM has arrived', async () => {
  const { names } = await observed({ onEnd: ({ sendSpans }) => sendSpans('last') });
  expect(names).toEqual(['last']);
});

test('a server that is killed is noted, with what it said', async () => {
  const { observation } = await observed({ isKilled: true, output: 'no exporter' });
  expect(observation.notes).toEqual(['did not end within 5 s of SIGTERM, and was killed']);
  expect(observation.said).toBe('it said: no exporter');
});

test('tracers are asked to export often', async () => {
  const { started } = await observed({});
  expect(started()?.moreEnv).toMatchObject({ OTEL_BSP_SCHEDULE_DELAY: '200' });
});

test('spans of requests before a server was ready are waited for, and forgotten', async () => {
  let sent = 0;
  const { names } = await observed({
    failedAttempts: 3,
    onSleep: async ({ sendSpans }, nowMs) => {
      if (nowMs >= 5_000 && sent++ === 0) await sendSpans('GET / 503');
    },
    onRequest: async ({ sendSpans }) => {
      if (sent > 0) await sendSpans('GET /');
    },
  });
  expect(names).toEqual(['GET /', 'GET /']);
});

test('spans by HTTP are taken of a server that is to send all else by gRPC', async () => {
  const { observation } = await observed(
    { onRequest: ({ sendSpans }) => sendSpans('GET /') },
    {
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://{sink}',
        OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
        OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
      },
    },
  );
  expect(observation).toMatchObject({ refused: [] });
  expect(observation.spans.length).toBeGreaterThan(0);
});

test('OTLP by HTTP of a server that is to send by gRPC is refused', async () => {
  const { observation } = await observed(
    { onRequest: ({ sendSpans }) => sendSpans('GET /') },
    {
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://{sink}',
        OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      },
    },
  );
  expect(observation).toMatchObject({ spans: [], refused: [{ kind: 'not-grpc', count: 2 }] });
});
