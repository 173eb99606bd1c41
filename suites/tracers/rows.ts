import type {
  ScenarioInput,
  SpanInput,
  SuiteInput,
  TelemetryInput,
} from '../../harness/suite/suite-schema.ts';

export const recorded = { 'http.request.method': 'GET', 'http.response.status_code': 200 };
export const duration = { name: 'http.server.request.duration', attributes: recorded };
/** Goes up and down, so a request leaves it as it was. */
export const activeRequests = { name: 'http.server.active_requests', perRequest: 0 };

/** Returns the span of the request itself, with those that are nested in it. */
export function serverSpan(
  name: string,
  attributes: SpanInput['attributes'] = recorded,
  children: SpanInput[] = [],
): SpanInput {
  return { name, kind: 'SERVER', attributes, children };
}

/** Other detectors of OpenTelemetry ask the clouds where they run, which nothing here may do. */
export const localDetectorsEnv = { OTEL_NODE_RESOURCE_DETECTORS: 'env,host,os,process' };

/** Tells an OpenTelemetry SDK which share of the requests it samples. */
export const sdkSampler = (share: number) => ({
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  OTEL_TRACES_SAMPLER_ARG: String(share),
});

export const sentrySpan: SpanInput = {
  name: 'GET',
  kind: 'SERVER',
  attributes: { ...recorded, 'url.path': '/' },
};
export const sentryEnv = { SENTRY_DSN: 'http://key@{sink}/1' };
/** Read by this repository's files that call `Sentry.init`. */
export const sentrySampler = (share: number) => ({ SAMPLED: String(share) });

export const datadogSpan: SpanInput = {
  name: 'web.request',
  kind: 'SERVER',
  attributes: { 'http.status_code': '200' },
};
export const datadogEnv = {
  DD_TRACE_AGENT_URL: 'http://{sink}',
  // By its own protocol: it would obey what tells an OpenTelemetry SDK where to export.
  OTEL_TRACES_EXPORTER: '',
  OTEL_METRICS_EXPORTER: '',
  // What the tracer tells its maker about itself, and what it asks for.
  DD_INSTRUMENTATION_TELEMETRY_ENABLED: 'false',
  DD_REMOTE_CONFIGURATION_ENABLED: 'false',
};
export const datadogSampler = (share: number) => ({ DD_TRACE_SAMPLE_RATE: String(share) });

/** The tracer with these shares of the requests sampled: a tenth and none if they are left out. */
export function sampled(
  of: ScenarioInput,
  sampler: (share: number) => Record<string, string>,
  shares: number[] = [0.1, 0],
): ScenarioInput[] {
  return shares.map((share) => ({
    ...of,
    name: `${of.name}-${share * 100}`,
    title: `${of.title}, ${share * 100} % sampled`,
    telemetry: { ...of.telemetry, sampled: share },
    env: { ...of.env, ...sampler(share) },
  }));
}

/** A tracer in a folder of its own, which is left out, with the reason, if it can't be proven. */
export function tracer(
  about: Pick<ScenarioInput, 'name' | 'title' | 'command' | 'packages' | 'cwd'>,
  telemetry: TelemetryInput,
  env: Record<string, string> = {},
): ScenarioInput {
  return { ...about, optional: true, export: 'otlp', telemetry, env };
}

/** The first scenario is the baseline of the others. All answer `Hi`. */
export function compared(
  about: { name: string; title: string; remarks?: string[] },
  scenarios: ScenarioInput[],
) {
  const [{ name: baseline } = { name: '' }] = scenarios;
  return {
    ...about,
    answer: { body: 'Hi' },
    baseline,
    scenarios,
    full: { starts: 10, warmupSeconds: 30 },
    quick: { starts: 3 },
  } satisfies SuiteInput;
}
