import type {
  ScenarioInput,
  SpanInput,
  TelemetryInput,
} from '../../../harness/suite/suite-schema.ts';
import {
  datadogEnv,
  datadogSampler,
  duration,
  localDetectorsEnv,
  recorded,
  sampled,
  sentryEnv,
  serverSpan,
  tracer,
} from '../rows.ts';
import { LARGE_QUEUE } from '../span-queue.ts';

export type Framework = 'http' | 'express' | 'fastify' | 'hono' | 'workers';

const TITLES: Record<Framework, string> = {
  http: 'node:http',
  express: 'Express',
  fastify: 'Fastify',
  hono: 'Hono on node:http',
  workers: 'node:http with worker threads',
};

/** Of Node that the folder `servers` pins: what many machines have is too old for these tracers. */
const NODE = '../servers/node_modules/.bin/node';

/** The framework's server, with what is in that folder loaded before it. */
function node(framework: Framework, folder: string, preload: string[]) {
  // Its pool of threads is a package that the other servers do without.
  const own = framework === 'workers' ? 'workers' : 'servers';
  const packages = ['servers', own, folder].map((each) => `tracers/node/${each}`);
  return {
    command: [NODE, ...preload, `../${own}/${framework}.cjs`],
    cwd: `tracers/node/${folder}`,
    packages: [...new Set(packages)],
  };
}

const PRELOAD = ['--require', './preload.cjs'];
const REGISTER = ['--require', '@opentelemetry/auto-instrumentations-node/register'];

export function bare(framework: Framework): ScenarioInput {
  const server = node(framework, 'servers', []);
  return { name: framework, title: TITLES[framework], ...server, telemetry: {} };
}

const autoEnv = {
  ...LARGE_QUEUE,
  ...localDetectorsEnv,
};
/** What the runtime tells of itself, and the exporter of its requests. */
const ignore = [{ pattern: '^(nodejs|v8js|process|system|http[.]client)[.]|^dns[.]' }];

const routed = { ...recorded, 'http.route': '/' };

/** What each tracer records of a request to each framework. */
const AUTO: Record<Framework, SpanInput> = {
  http: serverSpan('GET', recorded),
  express: serverSpan('GET /', routed, [
    {
      name: 'middleware - patched',
      children: [{ name: 'request handler', children: [{ name: 'request handler - /' }] }],
    },
  ]),
  fastify: serverSpan('GET', recorded),
  hono: serverSpan('GET', recorded),
  workers: serverSpan('GET', recorded),
};
const SENTRY: Record<Framework, SpanInput> = {
  http: serverSpan('GET', recorded),
  express: serverSpan('GET /', routed, [{ name: '/' }]),
  fastify: serverSpan('GET /', routed, [{ name: '/', children: [{ name: '/' }] }]),
  hono: serverSpan('GET /', routed),
  workers: serverSpan('GET', recorded),
};
const datadog = { 'http.status_code': '200' };
const DATADOG: Record<Framework, SpanInput> = {
  http: serverSpan('web.request', datadog),
  express: serverSpan('express.request', datadog, [
    { name: 'router.middleware', children: [{ name: 'router.middleware' }] },
  ]),
  fastify: serverSpan('fastify.request', datadog),
  hono: serverSpan('hono.request', datadog),
  workers: serverSpan('web.request', datadog),
};

/** The tracers that instrument every framework, a row each. */
export function common(framework: Framework): ScenarioInput[] {
  return [auto(framework, 3), auto(framework, 2), withSentry(framework), withDatadog(framework)];
}

export function auto(framework: Framework, sdk: 2 | 3): ScenarioInput {
  const title = `auto-instrumentations-node (SDK ${sdk})`;
  const telemetry: TelemetryInput = { span: AUTO[framework], metrics: [duration], ignore };
  return tracer(
    { name: `auto-${sdk}`, title, ...node(framework, `auto-${sdk}`, REGISTER) },
    telemetry,
    autoEnv,
  );
}

/** Exports by gRPC, which its documentation has beside HTTP. */
export function autoByGrpc(framework: Framework): ScenarioInput {
  const of = auto(framework, 3);
  const env = { ...of.env, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
  return { ...of, name: 'auto-3-grpc', title: `${of.title}, by gRPC`, env };
}

export function withSentry(framework: Framework): ScenarioInput {
  const about = { name: 'sentry', title: '@sentry/node', ...node(framework, 'sentry', PRELOAD) };
  return tracer(about, { span: SENTRY[framework] }, sentryEnv);
}

export function withDatadog(framework: Framework): ScenarioInput {
  const about = {
    name: 'dd-trace',
    title: 'dd-trace',
    ...node(framework, 'dd-trace', ['--require', 'dd-trace/init']),
  };
  return tracer(about, { span: DATADOG[framework], atStart: ['dns.lookup'] }, datadogEnv);
}

/** It sends all spans, with the rate of its rule: the agent drops those that are not sampled. */
export function datadogSampled(framework: Framework): ScenarioInput[] {
  const { telemetry, ...whole } = withDatadog(framework);
  const { attributes, ...span } = DATADOG[framework];
  return sampled(whole, datadogSampler).map((row) => {
    const marked = {
      ...span,
      attributes: { ...attributes, '_dd.rule_psr': row.telemetry?.sampled ?? 1 },
    };
    return { ...row, title: `${row.title}, all sent`, telemetry: { ...telemetry, span: marked } };
  });
}

export const fastifyOtel = tracer(
  { name: 'fastify-otel', title: '@fastify/otel', ...node('fastify', 'fastify-otel', PRELOAD) },
  {
    span: serverSpan('GET /', routed, [
      { name: 'request', children: [{ name: 'handler - fastify -> @fastify/otel' }] },
    ]),
    metrics: [duration],
    ignore,
  },
  autoEnv,
);

export function elastic(framework: Framework): ScenarioInput {
  const preload = ['--require', 'elastic-apm-node/start'];
  const about = {
    name: 'elastic-apm',
    title: 'elastic-apm-node',
    ...node(framework, 'elastic', preload),
  };
  const env = {
    ELASTIC_APM_SERVER_URL: 'http://{sink}',
    // What it asks for, and asks the clouds.
    ELASTIC_APM_CENTRAL_CONFIG: 'false',
    ELASTIC_APM_CLOUD_PROVIDER: 'none',
    // It sends as it goes, in one request that otherwise ends after 10 s.
    ELASTIC_APM_API_REQUEST_TIME: '500ms',
  };
  return tracer(about, { span: serverSpan('GET /', { 'http.status_code': 200 }) }, env);
}

const elasticSampler = (share: number) => ({ ELASTIC_APM_TRANSACTION_SAMPLE_RATE: String(share) });

/**
 * Until it knows the version of the server, it also sends a request that is not sampled, without
 * its status.
 */
export function elasticSampled(framework: Framework): ScenarioInput[] {
  const [tenth, none] = sampled(elastic(framework), elasticSampler) as [
    ScenarioInput,
    ScenarioInput,
  ];
  return [
    { ...tenth, telemetry: { span: serverSpan('GET /', {}), sampled: 0.1 } },
    { ...none, telemetry: { atStart: ['GET /'] } },
  ];
}

/** It reports by TLS alone, to which no sink answers. */
export function newrelic(framework: Framework): ScenarioInput {
  const about = { name: 'newrelic', title: 'newrelic', ...node(framework, 'newrelic', PRELOAD) };
  const env = {
    SINK: '{sink}',
    NEW_RELIC_APP_NAME: 'tracers',
    NEW_RELIC_LICENSE_KEY: '0'.repeat(40),
    NEW_RELIC_NO_CONFIG_FILE: 'true',
    NEW_RELIC_LOG_ENABLED: 'false',
  };
  return tracer(about, { span: serverSpan('GET /', {}) }, env);
}

/** The tracer with its own profiler beside it, which this switches on. */
function withProfiler(
  { telemetry, ...traced }: ScenarioInput,
  switchOn: Record<string, string>,
): ScenarioInput {
  return {
    ...traced,
    name: `${traced.name}-profiler`,
    title: `${traced.title} and its profiler`,
    telemetry: { ...telemetry, profiles: true },
    env: { ...traced.env, ...switchOn },
  };
}

export function datadogProfiler(framework: Framework): ScenarioInput {
  return withProfiler(withDatadog(framework), { DD_PROFILING_ENABLED: 'true' });
}

/**
 * Tracing alone, of the version that the newest profiler is for: they must have the same
 * (docs.sentry.io/platforms/javascript/guides/node/profiling).
 */
export function sentryForProfiler(framework: Framework): ScenarioInput {
  const server = node(framework, 'sentry-profiling', PRELOAD);
  return { ...withSentry(framework), ...server };
}

/** Its profiler starts with a span, and stops and sends when there is none. */
export function sentryProfiler(framework: Framework): ScenarioInput {
  return withProfiler(sentryForProfiler(framework), { PROFILES: 'true' });
}

/** A profiler without a tracer. */
export function pyroscope(framework: Framework): ScenarioInput {
  const about = {
    name: 'pyroscope',
    title: '@pyroscope/nodejs',
    ...node(framework, 'pyroscope', PRELOAD),
  };
  const env = {
    PYROSCOPE_SERVER_ADDRESS: 'http://{sink}',
    PYROSCOPE_APPLICATION_NAME: 'tracers',
  };
  return tracer(about, { profiles: true }, env);
}

/**
 * The server whose threads have the tracer, too, as they do by default: they get the options of
 * their process, and so what these preload. Or one whose main thread alone has it.
 */
export function withTracerInThreads(of: ScenarioInput, isInThreads: boolean): ScenarioInput {
  const inThreads = { name: `${of.name}-threads`, title: `${of.title}, in all threads` };
  return {
    ...of,
    ...(isInThreads && inThreads),
    env: { ...of.env, TRACER_IN_THREADS: String(isInThreads) },
  };
}
