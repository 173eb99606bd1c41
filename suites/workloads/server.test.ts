import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Hono } from 'hono';
import { Recorder } from '../../harness/proof/recorder.ts';
import { listen } from '../../harness/sink/listen.ts';
import { withServer } from '../../harness/testing/serving.ts';
import { createEndpoints } from './endpoints.ts';
import { payload, requestBodies, SIZES, type Size } from './payloads.ts';
import { createApp } from './server.ts';
import { MAX_BODY_BYTES } from './validation.ts';

const configurations = ['absent', 'disabled', 'traces', 'active', 'transforms'] as const;
const sizes = Object.keys(SIZES) as Size[];
const bodies = requestBodies();

const JSON_HEADERS = { 'content-type': 'application/json' };
const posted = (body: unknown) => {
  return {
    method: 'POST',
    headers: JSON_HEADERS,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
};
const post = (app: Hono, path: string, body: unknown) => app.request(path, posted(body));

const script = join(import.meta.dir, 'server.ts');
const SERVER = [process.execPath, 'run', script];
const spawn = (argv: string[], WORKLOAD: string) =>
  Bun.spawn(argv, { env: { ...process.env, WORKLOAD, PORT: '0' }, stdout: 'pipe', stderr: 'pipe' });

/** Nobody is there to take it. */
const NO_EXPORT = { OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' };

async function jsonOf(response: Response | Promise<Response>, status = 200) {
  const settled = await response;
  expect(settled.headers.get('content-type')).toStartWith('application/json');
  expect(settled.status).toBe(status);
  // biome-ignore lint/suspicious/noExplicitAny: what it holds is what the test is about
  return (await settled.json()) as any;
}

const timestamp = expect.any(Number);
const login = { email: 'ada@example.com', password: 'correct horse' };
const { email } = login;
const user = { username: 'ada', email, ssn: '123-45-6789', creditCard: '4111-1111-1111-1111' };

const results = [0, 1].map((jobId) => ({ jobId, timestamp, status: 'completed' }));
const HASH = 'a4c9ae2ce688e3c5d54ca52a2c939663f76ea881b909518bc6042c3a575cf70a';
const token = expect.any(String);
const { username, ...profile } = user;
const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

/** Requests to all endpoints, each with what answers it. */
const exchanges: [method: 'GET' | 'POST', path: string, body: unknown, answer: object][] = [
  ['GET', '/api/simple', undefined, { message: 'Hello World', timestamp }],
  [
    'POST',
    '/api/simple-post',
    { data: 'test-data', timestamp: 1 },
    { message: 'Hello World', timestamp },
  ],
  [
    'POST',
    '/api/compute-hash',
    { data: 'sensitive-data-to-hash', iterations: 1000 },
    { hash: HASH, iterations: 1000 },
  ],
  [
    'POST',
    '/api/io-bound',
    { jobs: 2, delayMs: 5 },
    { totalJobs: 2, results, completedAt: timestamp },
  ],
  ...sizes.flatMap((size): typeof exchanges => [
    ['GET', `/api/${size}`, undefined, { id: size, data: payload(size), timestamp }],
    [
      'POST',
      `/api/${size}-post`,
      bodies[size],
      { id: `${size}-post`, data: payload(size), timestamp },
    ],
  ]),
  [
    'POST',
    '/api/auth/login',
    login,
    { success: true, token, user: { id: 123, email, role: 'user' } },
  ],
  ['POST', '/api/users', user, { id: 1, username, profile, createdAt }],
  ['GET', '/api/slow', undefined, { message: 'Slow response', timestamp }],
];

for (const configuration of configurations) {
  const app = await createApp(configuration);
  test.each(exchanges)(
    `with the inspector ${configuration}: %s %s`,
    async (method, path, body, answer) => {
      expect(await jsonOf(method === 'GET' ? app.request(path) : post(app, path, body))).toEqual(
        answer,
      );
    },
  );

  test(`with the inspector ${configuration}: refuses what it must`, async () => {
    const { fields } = await jsonOf(
      post(app, '/api/users', { ...user, email: 'ada', ssn: 5 }),
      400,
    );
    expect(fields.map(({ field }: { field: string }) => field)).toEqual(['email', 'ssn']);
    const malformed = await jsonOf(post(app, '/api/users', '{"username":'), 400);
    expect(malformed).toEqual({ error: 'Malformed JSON in request body' });
    const unknown = await jsonOf(app.request('/api/unknown'), 404);
    expect(unknown).toEqual({ error: 'There is no GET /api/unknown' });
    await jsonOf(post(app, '/api/simple', {}), 404);
    await jsonOf(post(app, '/api/small-post', 'x'.repeat(MAX_BODY_BYTES + 1)), 413);
  });
}

describe('validation', () => {
  const app = createEndpoints();

  test.each<[path: string, body: unknown, fields: string[]]>([
    ['/api/simple-post', {}, ['data', 'timestamp']],
    ['/api/compute-hash', { data: 'a'.repeat(1e6), iterations: 1e9 }, ['data', 'iterations']],
    ['/api/compute-hash', { data: 'a', iterations: 0 }, ['iterations']],
    ['/api/compute-hash', { data: 'a', iterations: 1.5 }, ['iterations']],
    ['/api/io-bound', { jobs: 1e6, delayMs: 1e6 }, ['jobs', 'delayMs']],
    ['/api/io-bound', { jobs: '5', delayMs: -1 }, ['jobs', 'delayMs']],
    ['/api/large-post', { data: 5 }, ['data']],
    ['/api/auth/login', { email: 'ada' }, ['email', 'password']],
    ['/api/users', 'null', ['']],
  ])('%s', async (path, body, fields) => {
    const answer = await jsonOf(post(app, path, body), 400);
    expect(answer.fields.map(({ field }: { field: string }) => field)).toEqual(fields);
  });

  test('a body that is not said to be JSON, or to be larger than it may be, is refused unread', async () => {
    const untyped = await jsonOf(
      app.request('/api/auth/login', { method: 'POST', body: '{}' }),
      400,
    );
    expect(untyped.error).toContain('application/json');
    const headers = { ...JSON_HEADERS, 'content-length': String(MAX_BODY_BYTES + 1) };
    await jsonOf(app.request('/api/small-post', { method: 'POST', headers, body: '{}' }), 413);
  });

  test('a body of just 50 MB passes, whether its length is announced or not', async () => {
    const body = JSON.stringify({ data: 'x'.repeat(MAX_BODY_BYTES - '{"data":""}'.length) });
    await jsonOf(post(app, '/api/small-post', body));
    const headers = { ...JSON_HEADERS, 'content-length': String(MAX_BODY_BYTES) };
    await jsonOf(app.request('/api/small-post', { method: 'POST', headers, body }));
  });
});

test('/api/slow takes 100 ms, and the jobs run one after the other', async () => {
  const app = createEndpoints();
  const begin = performance.now();
  await app.request('/api/slow');
  expect(performance.now() - begin).toBeGreaterThan(98);
  const middle = performance.now();
  await post(app, '/api/io-bound', { jobs: 5, delayMs: 10 });
  expect(performance.now() - middle).toBeGreaterThan(48);
});

test('payloads are always the same, hardly compressible, and those of requests differ from those of answers', () => {
  expect(requestBodies()).toEqual(bodies);
  for (const size of sizes) {
    const answered = payload(size);
    expect(Buffer.byteLength(answered)).toBe(SIZES[size]);
    expect(JSON.parse(bodies[size]).data).toHaveLength(SIZES[size]);
    expect(JSON.parse(bodies[size]).data).not.toBe(answered);
    expect(gzipSync(answered).length / SIZES[size]).toBeGreaterThan(0.7);
  }
});

describe('what is recorded of a login and a user', () => {
  /** Everything in the attributes of the spans that the two requests leave, as they arrive. */
  async function recorded(configuration: string): Promise<string> {
    const recorder = new Recorder();
    await using listening = await listen(recorder);
    let token = '';
    const env = {
      WORKLOAD: configuration,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://${listening.address}`,
    };
    await withServer(SERVER, env, async (port) => {
      const send = (path: string, body: object) =>
        jsonOf(fetch(`http://127.0.0.1:${port}${path}`, posted(body)));
      token = (await send('/api/auth/login', login)).token;
      await send('/api/users', user);
    });
    return JSON.stringify(recorder.spans.map(({ attributes }) => attributes)).replaceAll(
      token,
      'TOKEN',
    );
  }
  const secrets = [login.password, 'TOKEN', user.ssn, user.creditCard];
  const others = [login.email, user.username];

  test.each<[configuration: string, what: string, has: string[], hasNot: string[]]>([
    ['active', 'all of it', [...secrets, ...others], []],
    ['transforms', 'no secret', [...others, '*'.repeat(user.ssn.length)], secrets],
    [
      'traces',
      'spans, but nothing of the bodies',
      ['/api/auth/login'],
      [...secrets, ...others, 'body'],
    ],
    ['disabled', 'nothing', [], ['/api/auth/login']],
  ])('%s: %s', async (configuration, _, has, hasNot) => {
    const text = await recorded(configuration);
    for (const part of has) expect(text).toContain(part);
    for (const part of hasNot) expect(text).not.toContain(part);
  });
});

describe('as a process', () => {
  test.each(['absent', 'disabled'])(
    'the inspector is loaded unless it is absent: %s',
    async (configuration) => {
      // Bun notes ES modules there, too.
      const modules = 'console.log(Object.keys(require.cache).join("\\n"))';
      const source = `await import(${JSON.stringify(script)}); ${modules}`;
      const loaded = await spawn([process.execPath, '-e', source], configuration).stdout.text();
      expect(loaded).toContain('suites/workloads/endpoints.ts');
      expect(/inspector\/src|opentelemetry/.test(loaded)).toBe(configuration !== 'absent');
    },
  );

  test('a wrong WORKLOAD ends it with one line', async () => {
    const child = spawn(SERVER, 'actve');
    expect(await child.exited).toBe(1);
    const line =
      'WORKLOAD is "actve", but must be one of absent, disabled, traces, active, transforms\n';
    expect(await child.stderr.text()).toBe(line);
  });

  test.each(['absent', 'active'])('%s listens on PORT and refuses 60 MB', async (WORKLOAD) => {
    await withServer(SERVER, { WORKLOAD, ...NO_EXPORT }, async (port) => {
      const send = (body: string | ReadableStream) =>
        fetch(`http://127.0.0.1:${port}/api/large-post`, {
          method: 'POST',
          headers: JSON_HEADERS,
          body,
        });
      expect((await jsonOf(send(bodies.large))).data).toBe(payload('large'));
      await jsonOf(send('x'.repeat(60e6)), 413);
      await jsonOf(send(new Blob(['x'.repeat(60e6)]).stream()), 413);
    });
  });
});
