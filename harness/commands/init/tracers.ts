/** A tracer, and the variables that switch it. */
export interface Tracer {
  title: string;
  /** Matches the names of the packages by which it is loaded. */
  packages: RegExp;
  /** Matches source code that starts it. Left out if loading it is starting it. */
  starting?: RegExp;
  /** These variables switch it off. */
  off: Record<string, string>;
  /** The first of these variables says where it sends. Left out if none does. */
  on?: Record<string, string>;
}

/**
 * The API alone, and names for attributes, record nothing. Azure's distribution has its own
 * exporter.
 */
const WITHOUT_TRACER =
  /@azure\/|@opentelemetry\/(api|semantic-conventions|resources|core)(\/|$|-logs)/;

export const TRACERS: Tracer[] = [
  {
    title: 'Sentry',
    packages: /^@sentry\//,
    // Other code only calls its error handlers.
    starting: /\binit\w*\s*\(/,
    off: { SENTRY_DSN: '' },
    on: { SENTRY_DSN: 'http://key@{sink}/1' },
  },
  {
    title: 'dd-trace',
    packages: /^dd-trace(\/|$)/,
    off: { DD_TRACE_ENABLED: 'false' },
    on: {
      DD_TRACE_AGENT_URL: 'http://{sink}',
      // It is to send by its own protocol, and would obey what tells an OpenTelemetry SDK to
      // export.
      OTEL_TRACES_EXPORTER: '',
      OTEL_METRICS_EXPORTER: '',
    },
  },
  {
    title: 'New Relic',
    packages: /^newrelic(\/|$)/,
    off: { NEW_RELIC_ENABLED: 'false' },
  },
  {
    title: 'Elastic APM',
    packages: /^elastic-apm-node(\/|$)/,
    off: { ELASTIC_APM_ACTIVE: 'false' },
    on: {
      ELASTIC_APM_SERVER_URL: 'http://{sink}',
      // It waits for what it asks the clouds and its server.
      ELASTIC_APM_CLOUD_PROVIDER: 'none',
      ELASTIC_APM_CENTRAL_CONFIG: 'false',
      // It sends as it goes, in one request that otherwise ends after 10 s.
      ELASTIC_APM_API_REQUEST_TIME: '500ms',
    },
  },
  {
    title: 'OpenTelemetry',
    packages: new RegExp(`^(?!${WITHOUT_TRACER.source}).*\\b(opentelemetry|otel)\\b`),
    off: { OTEL_SDK_DISABLED: 'true' },
    on: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://{sink}' },
  },
];
