import type { ScenarioInput, SpanInput, SuiteInput } from '../../harness/suite/suite-schema.ts';
import { localDetectorsEnv, sentryEnv, tracer } from '../tracers/rows.ts';
import { largeQueue, largeQueueText } from '../tracers/span-queue.ts';

/** What many machines have is too old for these tracers. */
const NODE = 'server/node_modules/.bin/node';
const SERVER = 'server/server.cjs';
const ITEMS = 100;
const QUERY = 'query Items { items { id name price } }';
const answered = { 'http.request.method': 'POST', 'http.response.status_code': 200 };

/** What the server finds of an item: `id` and `name` are read from it, and `price` is computed. */
const item = (index: number) => ({
  id: String(index + 1),
  name: `Item ${index + 1}`,
  price: (2.5 * (index + 1)).toFixed(2),
});
const indexes = Array.from({ length: ITEMS }, (_, index) => index);
const body = JSON.stringify({ data: { items: indexes.map(item) } });

/** The span of a resolver of the schema. */
const resolved = (path: string, parent: string, children: SpanInput[] = []): SpanInput => ({
  name: `graphql.resolve ${path}`,
  attributes: { 'graphql.field.path': path, 'graphql.parent.name': parent },
  children,
});

/** The span of `items`, and in it those of these fields of each item. */
const resolvers = (fields: string[]): SpanInput =>
  resolved(
    'items',
    'Query',
    indexes.flatMap((index) => fields.map((field) => resolved(`items.${index}.${field}`, 'Item'))),
  );

/** The spans that the query leaves beside its request's, and the resolvers' in the last of them. */
const query = (children: SpanInput[]): SpanInput[] => [
  { name: 'graphql.parse' },
  { name: 'graphql.validate' },
  {
    name: 'query Items',
    attributes: { 'graphql.operation.type': 'query', 'graphql.operation.name': 'Items' },
    children,
  },
];

/** What is instrumented of a request, and the spans that are nested in the request's. */
interface Option {
  name: string;
  title: string;
  /** Options of the instrumentation of GraphQL; undefined if there is none. */
  graphql: Record<string, boolean> | undefined;
  children: SpanInput[];
}
const OPTIONS: Option[] = [
  { name: 'http', title: 'HTTP alone', graphql: undefined, children: [] },
  {
    name: 'none',
    title: 'no resolver',
    graphql: { ignoreResolveSpans: true },
    children: query([]),
  },
  {
    name: 'own',
    title: 'resolvers but trivial ones',
    graphql: { ignoreTrivialResolveSpans: true },
    children: query([resolvers(['price'])]),
  },
  {
    name: 'all',
    title: 'all resolvers (default)',
    graphql: {},
    children: query([resolvers(['id', 'name', 'price'])]),
  },
];

/** The server, with this file loaded before it, which needs the packages of that folder. */
function traced(preload: string, folder: string) {
  return {
    command: [NODE, '--require', preload, SERVER],
    packages: ['server', folder],
  };
}

/**
 * A query leaves hundreds of spans, and all queries that wait are answered before the next export:
 * with smaller batches, the queue would overflow.
 */
const BATCH = 8_192;

function otel(sdk: 2 | 3, { name, title, graphql, children }: Option): ScenarioInput {
  const about = {
    name: `${name}-${sdk}`,
    title: `OpenTelemetry SDK ${sdk}, ${title}`,
    ...traced('./trace.cjs', `sdk-${sdk}`),
  };
  const telemetry = {
    span: { name: 'POST', kind: 'SERVER', attributes: answered, children } as const,
    metrics: [{ name: 'http.server.request.duration' }],
    // Of requests of the exporter itself.
    ignore: [{ pattern: '^http[.]client[.]' }],
  };
  const env = {
    ...largeQueue(BATCH),
    SDK: `sdk-${sdk}`,
    ...(graphql && { GRAPHQL: JSON.stringify(graphql) }),
    ...localDetectorsEnv,
  };
  return { ...tracer(about, telemetry, env), flushesAtEnd: true };
}

const sentry = tracer(
  {
    name: 'sentry',
    title: '@sentry/node, no resolver (default)',
    ...traced('../tracers/node/sentry/preload.cjs', '../tracers/node/sentry'),
  },
  {
    span: {
      name: 'POST',
      kind: 'SERVER',
      attributes: { ...answered, 'sentry.graphql.operation': 'query Items' },
      children: ['GraphQL parse', 'GraphQL validate', 'GraphQL query'].map((name) => ({ name })),
    },
  },
  { ...sentryEnv, BUFFER_SIZE: '4096' },
);

const bare: ScenarioInput = {
  name: 'bare',
  title: 'graphql-http on node:http',
  command: [NODE, SERVER],
  packages: 'server',
  telemetry: {},
};

/** What spans of GraphQL cost: of a query, and of each field that it resolves. */
export default {
  name: 'graphql',
  title: 'Spans of GraphQL, on Node',
  request: {
    method: 'POST',
    path: '/graphql',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ query: QUERY }),
  },
  answer: { body, mediaType: 'application/json' },
  baseline: 'bare',
  remarks: [
    `At full load, spans are lost by default. So here OpenTelemetry's ${largeQueueText(BATCH)}; of Sentry's envelopes 4,096 may wait, not 64.`,
  ],
  scenarios: [
    bare,
    ...OPTIONS.map((option) => otel(2, option)),
    ...OPTIONS.map((option) => otel(3, option)),
    sentry,
  ],
  full: { connections: 10, starts: 10, warmupSeconds: 20 },
  quick: { connections: 10, starts: 3 },
} satisfies SuiteInput;
