import type { SuiteInput, TaskInput, TelemetryInput } from '../../harness/suite/suite-schema.ts';
import { largeQueue } from '../tracers/span-queue.ts';
import { requestBodies, SIZES, type Size } from './payloads.ts';

type Exchange = TaskInput['exchanges'][number];
type Attributes = NonNullable<TelemetryInput['span']>['attributes'];

const TIMESTAMP = 1_764_000_000_000;
const HEADERS = { 'content-type': 'application/json' };

/**
 * An endpoint: what is sent there, and what a span of it must have, with and without transforms.
 */
interface Endpoint {
  method?: 'GET' | 'POST';
  body?: string;
  /** Whether the body is too large to be recorded. */
  isTruncated?: boolean;
  active?: Attributes;
  transforms?: Attributes;
}

/** The exchange with an endpoint, and what each configuration records of it. */
function exchange(path: string, endpoint: Endpoint, weight = 1): Exchange {
  const { method = endpoint.body ? 'POST' : 'GET', body, isTruncated } = endpoint;
  const common = {
    'http.request.method': method,
    'http.route': path,
    'http.response.status_code': 200,
  };
  const recorded = (attributes: Attributes = {}): TelemetryInput => ({
    span: { name: `${method} ${path}`, kind: 'SERVER', attributes: { ...common, ...attributes } },
    metrics: [{ name: 'http.server.request.duration', attributes: common }],
  });
  const bodies: Attributes = {
    'http.response.body.content': { pattern: '^\\{' },
    ...(isTruncated
      ? { 'http.request.body.truncated': true }
      : body && { 'http.request.body.content': body }),
  };
  return {
    request: {
      method,
      path,
      ...(method === 'POST' && { headers: HEADERS }),
      ...(body && { body }),
    },
    answer: { mediaType: 'application/json' },
    weight,
    telemetry: {
      absent: {},
      disabled: {},
      traces: recorded(),
      active: recorded({ ...bodies, ...endpoint.active }),
      transforms: recorded({ ...bodies, ...(endpoint.transforms ?? endpoint.active) }),
    },
  };
}

const simple = (weight?: number) => exchange('/api/simple', {}, weight);
const hash = (iterations: number, weight?: number) =>
  exchange(
    '/api/compute-hash',
    { body: JSON.stringify({ data: 'sensitive-data-to-hash', iterations }) },
    weight,
  );
const download = (size: Size, weight?: number) =>
  exchange(`/api/${size}`, { active: { 'http.response.body.truncated': true } }, weight);

/** Credentials of nobody: what must not be recorded if there are transforms. */
const secrets: Record<string, Endpoint> = {
  '/api/auth/login': {
    body: JSON.stringify({ email: 'user@example.com', password: 'supersecretpassword123' }),
    active: { 'http.response.body.content': { pattern: '"token":"token-of' } },
    transforms: {
      'http.request.body.content': {
        pattern: '^{"email":"user@example.com","password":"REDACTED_[0-9a-f]{12}"}$',
      },
      'http.response.body.content': { pattern: '"token":"REDACTED_[0-9a-f]{12}"' },
    },
  },
  '/api/users': {
    body: JSON.stringify({
      username: 'testuser',
      email: 'user@example.com',
      ssn: '123-45-6789',
      creditCard: '4111-1111-1111-1111',
    }),
    active: { 'http.response.body.content': { pattern: '"ssn":"123-45-6789"' } },
    transforms: {
      'http.request.body.content': {
        pattern: '"ssn":"\\*{11}","creditCard":"REDACTED_[0-9a-f]{12}"}$',
      },
      'http.response.body.content': {
        pattern: '"ssn":"\\*{11}","creditCard":"REDACTED_[0-9a-f]{12}"}',
      },
    },
  },
};

function tasks(): TaskInput[] {
  const bodies = requestBodies();
  const sizes = Object.keys(SIZES) as Size[];
  const one = (name: string, title: string, only: Exchange): TaskInput => ({
    name,
    title,
    exchanges: [only],
  });
  return [
    one('simple', 'GET simple', simple()),
    one(
      'simple-post',
      'POST simple',
      exchange('/api/simple-post', {
        body: JSON.stringify({ data: 'test-data', timestamp: TIMESTAMP }),
      }),
    ),
    one('compute-hash', 'POST hash x 1000', hash(1_000)),
    one(
      'io-bound',
      'POST 5 x 5 ms of waiting',
      exchange('/api/io-bound', { body: '{"jobs":5,"delayMs":5}' }),
    ),
    ...sizes.map((size) => one(size, `GET ${sizeName(size)}`, download(size))),
    ...sizes.map((size) =>
      one(
        `${size}-post`,
        `POST ${sizeName(size)}`,
        exchange(`/api/${size}-post`, {
          body: bodies[size],
          isTruncated: true,
          active: { 'http.response.body.truncated': true },
        }),
      ),
    ),
    {
      name: 'transforms',
      title: 'POST login and users in turn',
      exchanges: Object.entries(secrets).map(([path, endpoint]) => exchange(path, endpoint)),
    },
    {
      name: 'tail-latency',
      title: 'Mix: 60 % simple, 25 % 100 KiB, 10 % 100 ms, 5 % hash x 500',
      exchanges: [simple(60), download('small', 25), exchange('/api/slow', {}, 10), hash(500, 5)],
    },
  ];
}

function sizeName(size: Size): string {
  const kibibytes = SIZES[size] / 1024;
  return kibibytes < 1024 ? `${kibibytes} KiB` : `${kibibytes / 1024} MiB`;
}

/**
 * The requests of a real service, with the inspector absent, disabled, and active: without bodies,
 * with them, and with transforms.
 */
export default (): SuiteInput => ({
  name: 'workloads',
  title: 'Requests of a real service',
  cwd: '../..',
  tasks: tasks(),
  warmUp: 'simple-post',
  baseline: 'absent',
  remarks: [
    "65,536 spans wait in OpenTelemetry's SDK (OTEL_BSP_MAX_QUEUE_SIZE, not 2,048), and 64 leave at once (OTEL_BSP_MAX_EXPORT_BATCH_SIZE, not 512): with their bodies, more would be too large for a collector.",
  ],
  scenarios: [
    { name: 'absent', title: 'Absent' },
    { name: 'disabled', title: 'Disabled' },
    { name: 'traces', title: 'Active without bodies' },
    { name: 'active', title: 'Active' },
    { name: 'transforms', title: 'Active with transforms' },
  ].map(({ name, title }) => ({
    name,
    title,
    command: ['bun', 'run', 'suites/workloads/server.ts'],
    env: { WORKLOAD: name, ...largeQueue(64) },
    switchedOff: name === 'disabled',
  })),
});
