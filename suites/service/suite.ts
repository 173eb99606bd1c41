import type {
  ScenarioInput,
  SpanInput,
  SuiteInput,
  TaskInput,
} from '../../harness/suite/suite-schema.ts';
import { activeRequests, localDetectorsEnv, recorded } from '../tracers/rows.ts';
import { LARGE_QUEUE, LARGE_QUEUE_REMARK } from '../tracers/span-queue.ts';

/**
 * What a request does besides, in this order; what it finds, what instruments it, and the spans
 * that it then leaves.
 */
interface Step {
  name: string;
  title: string;
  env: Record<string, string>;
  found: object;
  by: string;
  spans: SpanInput[];
  metrics: string[];
  logs: number;
}
const STEPS: Step[] = [
  {
    name: 'query',
    title: 'a query',
    env: { DATABASE_URL: 'postgres://tracetax@{service:postgres}/postgres' },
    found: { name: 'Ada' },
    by: 'pg',
    spans: [
      { name: 'pg-pool.connect', kind: 'CLIENT' },
      {
        name: 'pg.query:SELECT postgres',
        kind: 'CLIENT',
        attributes: { 'db.system.name': 'postgresql' },
      },
    ],
    metrics: ['db.client.operation.duration'],
    logs: 0,
  },
  {
    name: 'fetch',
    title: 'a fetch',
    env: { UPSTREAM_URL: 'http://{service:upstream}/' },
    found: { score: 7 },
    by: 'undici',
    spans: [{ name: 'GET', kind: 'CLIENT', attributes: recorded }],
    metrics: [],
    logs: 0,
  },
  {
    name: 'log',
    title: 'a log line',
    env: {},
    found: {},
    by: 'pino',
    spans: [],
    metrics: [],
    logs: 1,
  },
];

interface Framework {
  name: string;
  title: string;
  bare: string[];
  traced: string[];
  /** The name of a request's span. */
  span: string;
  metrics: { name: string; perRequest?: number }[];
  /** What can't be instrumented there: the row that tries says so, and later steps do without. */
  untraced: string[];
}
const duration = { name: 'http.server.request.duration' };
const NODE = 'node_modules/.bin/node';
const FRAMEWORKS: Framework[] = [
  {
    name: 'fastify',
    title: 'Fastify on Node',
    bare: [NODE, 'fastify.cjs'],
    traced: [NODE, '--require', './trace.cjs', 'fastify.cjs'],
    span: 'GET',
    metrics: [duration],
    untraced: [],
  },
  {
    name: 'hono',
    title: 'Hono on Bun',
    bare: ['bun', 'hono.js'],
    traced: ['bun', '--preload', './trace.cjs', 'hono.js'],
    span: 'GET /',
    metrics: [duration, activeRequests],
    // Bun's fetch is not undici's.
    untraced: ['undici'],
  },
];

/**
 * The server whose requests do these steps: bare, or with some of them instrumented beside the
 * request itself.
 */
function server(
  of: Framework,
  steps: Step[],
  name: string,
  title: string,
  instrumented?: Step[],
): ScenarioInput {
  const env = Object.assign(
    { STEPS: steps.map((step) => step.name).join() },
    ...steps.map((step) => step.env),
  );
  const shared = { name, title, packages: '.', optional: true };
  if (!instrumented) return { ...shared, command: of.bare, env, telemetry: {} };
  const children = instrumented.flatMap(({ spans }) => spans);
  return {
    ...shared,
    command: of.traced,
    export: 'otlp',
    env: {
      ...env,
      ...LARGE_QUEUE,
      OTEL_LOGS_EXPORTER: 'otlp',
      INSTRUMENT: ['http', ...instrumented.map(({ by }) => by)].join(),
      ...localDetectorsEnv,
    },
    flushesAtEnd: true,
    telemetry: {
      span: { name: of.span, kind: 'SERVER', attributes: recorded, children },
      metrics: [
        ...of.metrics,
        ...instrumented.flatMap(({ metrics }) => metrics.map((name) => ({ name }))),
      ],
      logs: { perRequest: instrumented.reduce((sum, { logs }) => sum + logs, 0) },
      // Once a connection; how many there are; and requests of the exporter itself.
      ignore: ['pg.connect', { pattern: '^(db[.]client[.]connection|http[.]client)[.]' }],
    },
  };
}

interface Comparison {
  task: TaskInput;
  scenarios: ScenarioInput[];
}

/** The first of these servers is the baseline of the others. All answer what their steps find. */
function comparison(
  name: string,
  title: string,
  steps: Step[],
  scenarios: [ScenarioInput, ScenarioInput],
): Comparison {
  const body = JSON.stringify(Object.assign({}, ...steps.map(({ found }) => found)));
  const names = scenarios.map((each) => each.name);
  const task = {
    name,
    title,
    exchanges: [{ answer: { body } }],
    baseline: scenarios[0].name,
    scenarios: names,
  };
  return { task, scenarios };
}

/** A step after those before it: all of them traced, beside all but the last one. */
function stepOf(of: Framework, at: number): Comparison {
  const steps = STEPS.slice(0, at + 1);
  const last = steps[at] as Step;
  const before = steps.slice(0, at).filter(({ by }) => !of.untraced.includes(by));
  const name = `${of.name}-${last.name}`;
  const title = [of.title, ...steps.map((step) => step.title)].join(' + ');
  return comparison(name, title, steps, [
    server(of, steps, `${name}-before`, `Traced without ${last.title}`, before),
    server(of, steps, `${name}-traced`, 'Traced', [...before, last]),
  ]);
}

/** What tracing costs of the request itself, of each step, and of all together. */
function tasksOf(of: Framework): Comparison[] {
  const steps = STEPS.map((_, at) => stepOf(of, at));
  const all = `${of.name}-all`;
  const traced = steps.at(-1)?.scenarios[1] as ScenarioInput;
  return [
    comparison(
      of.name,
      of.title,
      [],
      [server(of, [], of.name, 'Not traced'), server(of, [], `${of.name}-traced`, 'Traced', [])],
    ),
    ...steps,
    comparison(all, `${of.title}, all of it`, STEPS, [
      server(of, STEPS, all, 'Not traced'),
      traced,
    ]),
  ];
}

const TASKS = FRAMEWORKS.flatMap(tasksOf);

/**
 * A real request: what tracing costs of the request itself, of a query, of a fetch, of a log line,
 * and of all of it.
 */
export default {
  name: 'service',
  title: 'A real request, step by step',
  baseline: 'fastify',
  remarks: [LARGE_QUEUE_REMARK, 'A query leaves two spans, of the pool and of the query.'],
  services: [
    { name: 'postgres', command: ['sh', 'postgres.sh'] },
    { name: 'upstream', command: ['bun', 'upstream.js'] },
  ],
  tasks: TASKS.map(({ task }) => task),
  scenarios: [...new Set(TASKS.flatMap(({ scenarios }) => scenarios))],
  full: { warmupSeconds: 20 },
} satisfies SuiteInput;
