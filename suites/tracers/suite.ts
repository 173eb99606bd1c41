import type {
  ScenarioInput,
  SpanInput,
  SuiteInput,
  TaskInput,
  TelemetryInput,
} from '../../harness/suite/suite-schema.ts';
import { nested, ROOM, ROOM_REMARK } from '../levels.ts';

const recorded = { 'http.request.method': 'GET', 'http.route': '/', 'http.response.status_code': 200 };
const duration = { name: 'http.server.request.duration', attributes: recorded };
const span: SpanInput = { name: 'GET /', kind: 'SERVER', attributes: recorded };
const traced: TelemetryInput = { span, metrics: [duration] };

/** The tracer in the folder of that name, in the configuration that its documentation gives. */
function tracer(
  name: string,
  title: string,
  telemetry: TelemetryInput,
  env: Record<string, string> = {},
): ScenarioInput {
  const command = ['bun', 'run', `${name}/server.js`];
  return { name, title, command, packages: name, optional: true, export: 'otlp', telemetry, env };
}

/** How each kind of tracer is told which share of the requests it samples. */
const sdkSampler = (share: number) => ({
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  OTEL_TRACES_SAMPLER_ARG: String(share),
});
const sentrySampler = (share: number) => ({ SAMPLED: String(share) });

/** The tracer as it is, and with a tenth of the requests sampled, and none. */
function sampled(of: ScenarioInput, sampler: (share: number) => Record<string, string>): ScenarioInput[] {
  const rows = [0.1, 0].map((share) => ({
    ...of,
    name: `${of.name}-${share * 100}`,
    title: `${of.title}, ${share * 100} % sampled`,
    telemetry: { ...of.telemetry, sampled: share },
    env: { ...of.env, ...sampler(share) },
  }));
  return [of, ...rows];
}

function tenSpans(of: ScenarioInput): ScenarioInput {
  const telemetry = { ...traced, span: { ...span, children: [nested(2)] } };
  return {
    ...of,
    name: `${of.name}-10x`,
    title: `${of.title}, 10 nested spans`,
    telemetry,
    env: { ...of.env, SPANS: '10' },
  };
}

const hono = tracer('hono', 'Hono', {});
const sdk2 = tracer('otel-sdk-2', "OpenTelemetry SDK 2 (this repository's layer)", traced, ROOM);
const sdk3 = tracer('otel-sdk-3', 'OpenTelemetry SDK 3', traced, ROOM);
const activeRequests = { name: 'http.server.active_requests', perRequest: 0 };
const honoOtel = tracer('hono-otel', '@hono/otel', { span, metrics: [duration, activeRequests] }, ROOM);

const sentrySpan: SpanInput = {
  name: 'GET',
  kind: 'SERVER',
  attributes: { 'http.request.method': 'GET', 'url.path': '/', 'http.response.status_code': 200 },
};
const sentry = tracer('sentry', '@sentry/bun', { span: sentrySpan }, { SENTRY_DSN: 'http://key@{sink}/1' });

const datadogSpan: SpanInput = { name: 'web.request', kind: 'SERVER', attributes: { 'http.status_code': '200' } };
const datadogEnv = {
  DD_TRACE_AGENT_URL: 'http://{sink}',
  // By its own protocol: it would obey what tells an OpenTelemetry SDK where to export.
  OTEL_TRACES_EXPORTER: '',
  OTEL_METRICS_EXPORTER: '',
  // What the tracer tells its maker about itself, and what it asks for.
  DD_INSTRUMENTATION_TELEMETRY_ENABLED: 'false',
  DD_REMOTE_CONFIGURATION_ENABLED: 'false',
};
const datadog = tracer('dd-trace', 'dd-trace', { span: datadogSpan }, datadogEnv);
const datadogNode = tracer('dd-trace-node', 'dd-trace, node:http', { span: datadogSpan }, datadogEnv);
const honoNode = tracer('hono-node', 'Hono, node:http', {});

const elysia = tracer('elysia', 'Elysia', {});
const elysiaSpan: SpanInput = { name: 'GET /', kind: 'SERVER', attributes: recorded, children: [{ name: 'Handle' }] };
const elysiaOtel = tracer('elysia-otel', '@elysiajs/opentelemetry', { span: elysiaSpan }, ROOM);

/** The first is the baseline of the others. */
const TASKS: { name: string; title: string; scenarios: ScenarioInput[] }[] = [
  {
    name: 'hono',
    title: 'Hono',
    scenarios: [
      hono,
      ...sampled(sdk2, sdkSampler),
      honoOtel,
      ...sampled(sdk3, sdkSampler),
      ...sampled(sentry, sentrySampler),
      datadog,
    ],
  },
  { name: 'elysia', title: 'Elysia', scenarios: [elysia, elysiaOtel] },
  { name: 'node-http', title: 'Hono on node:http', scenarios: [honoNode, datadogNode] },
  { name: 'upgrade', title: 'SDK 2 to 3', scenarios: [sdk2, sdk3] },
  { name: 'upgrade-10x', title: 'SDK 2 to 3, 10 spans', scenarios: [tenSpans(sdk2), tenSpans(sdk3)] },
];

/** Tracers that a Bun server is instrumented with, each in a folder of its own with its own packages: docs/tracers.md. */
export default {
  name: 'tracers',
  title: 'Tracers with export',
  baseline: 'hono',
  remarks: [ROOM_REMARK],
  tasks: TASKS.map(({ name, title, scenarios }): TaskInput => {
    const names = scenarios.map((scenario) => scenario.name);
    return { name, title, exchanges: [{ answer: { body: 'Hi' } }], baseline: names[0] as string, scenarios: names };
  }),
  scenarios: [...new Map(TASKS.flatMap(({ scenarios }) => scenarios.map((each) => [each.name, each]))).values()],
  // Slow tracers need half a minute until their code is compiled (docs/method-trials.md).
  full: { starts: 20, warmupSeconds: 40 },
  // Nine starts are the fewest that give intervals for twelve rows at once.
  quick: { durationSeconds: 1, pairs: 1, duetSlices: 1, warmupSeconds: 3, starts: 9 },
} satisfies SuiteInput;
