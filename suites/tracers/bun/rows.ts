import type {
  ScenarioInput,
  SpanInput,
  TelemetryInput,
} from '../../../harness/suite/suite-schema.ts';
import { nested } from '../../levels.ts';
import {
  activeRequests,
  datadogEnv,
  datadogSpan,
  duration,
  recorded,
  sentryEnv,
  sentrySpan,
  tracer,
} from '../rows.ts';
import { LARGE_QUEUE } from '../span-queue.ts';

const attributes = { ...recorded, 'http.route': '/' };
const span: SpanInput = { name: 'GET /', kind: 'SERVER', attributes };
const traced: TelemetryInput = { span, metrics: [{ ...duration, attributes }] };

const packages = (folder: string) => `tracers/bun/${folder}`;

/** The tracer in the folder of that name, in the configuration that its documentation gives. */
function bun(
  name: string,
  title: string,
  telemetry: TelemetryInput,
  env?: Record<string, string>,
): ScenarioInput {
  const command = ['bun', 'run', `tracers/bun/${name}/server.js`];
  return tracer({ name, title, command, packages: packages(name) }, telemetry, env);
}

/** A server of the baseline's own packages, by its file. */
function bare(folder: string, file: string, title: string): ScenarioInput {
  const [name, command] = [
    file === 'server' ? folder : file,
    ['bun', 'run', `tracers/bun/${folder}/${file}.js`],
  ];
  return { name, title, command, packages: packages(folder), telemetry: {} };
}

export const hono = bare('hono', 'server', 'Hono on Bun');
export const middleware = bare('hono', 'middleware', 'A middleware that does nothing');
export const storage = bare('hono', 'storage', 'AsyncLocalStorage alone');

const flushing = (of: ScenarioInput): ScenarioInput => ({ ...of, flushesAtEnd: true });
export const sdk2 = flushing(
  bun('otel-sdk-2', 'OpenTelemetry SDK 2 (inspector)', traced, LARGE_QUEUE),
);
/** By the short middleware of SDK 3's server, so that the two SDKs do the same work. */
export const sdk2Middleware: ScenarioInput = {
  ...sdk2,
  name: 'otel-sdk-2-middleware',
  title: 'OpenTelemetry SDK 2',
  command: ['bun', 'run', 'tracers/bun/otel-sdk-2/middleware.js'],
};
export const sdk3 = flushing(bun('otel-sdk-3', 'OpenTelemetry SDK 3', traced, LARGE_QUEUE));

const honoOtelMetrics = [...(traced.metrics ?? []), activeRequests];
export const honoOtel = flushing(
  bun('hono-otel', '@hono/otel', { span, metrics: honoOtelMetrics }, LARGE_QUEUE),
);

export const sentry = bun(
  'sentry',
  '@sentry/bun, init in the server',
  { span: sentrySpan },
  sentryEnv,
);
export const sentryPreload: ScenarioInput = {
  ...sentry,
  name: 'sentry-preload',
  title: '@sentry/bun, init by --preload',
  command: ['bun', '--preload', './tracers/bun/sentry/instrument.js', 'tracers/bun/hono/server.js'],
  packages: [packages('hono'), packages('sentry')],
};
const routedSpan: SpanInput = { ...sentrySpan, name: 'GET /', attributes };
export const sentryHono = bun('sentry-hono', '@sentry/hono', { span: routedSpan }, sentryEnv);

export const datadog = bun('dd-trace', 'dd-trace', { span: datadogSpan }, datadogEnv);

export const elysia = bare('elysia', 'server', 'Elysia');
const elysiaSpan: SpanInput = {
  name: 'GET /',
  kind: 'SERVER',
  attributes,
  children: [{ name: 'Handle' }],
};
export const elysiaOtel = bun(
  'elysia-otel',
  '@elysiajs/opentelemetry',
  { span: elysiaSpan },
  LARGE_QUEUE,
);

export function tenSpans(of: ScenarioInput): ScenarioInput {
  const telemetry = { ...traced, span: { ...span, children: [nested(2)] } };
  const [name, title] = [`${of.name}-10x`, `${of.title}, 10 nested spans`];
  return { ...of, name, title, telemetry, env: { ...of.env, SPANS: '10' } };
}
