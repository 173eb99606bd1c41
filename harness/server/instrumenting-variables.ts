import { resolve } from 'node:path';
import { namesIn } from '../words/files.ts';

/**
 * Variables that instrument, inspect or profile a process, or load code into it: these names, alone
 * or before a `_`. To add a tracer, add how its variables begin.
 */
const INSTRUMENTING_PREFIXES = [
  'AIRBRAKE',
  'APITALLY',
  'APPD',
  'APPDYNAMICS',
  'APPINSIGHTS',
  'APPLICATIONINSIGHTS',
  'APPSIGNAL',
  'ASPNETCORE_HOSTINGSTARTUPASSEMBLIES',
  'ATATUS',
  'AWS_XRAY',
  'AXIOM',
  'AZURE_MONITOR',
  'BASELIME',
  'BLACKFIRE',
  'BUGSNAG',
  'BUN_INSPECT',
  'CONTRAST',
  'COR',
  'CORALOGIX',
  'CORECLR',
  'COVERAGE',
  'CPUPROFILE',
  'DATADOG',
  'DD',
  'DEBUGPY',
  'DENO_COVERAGE_DIR',
  'DOTNET_ADDITIONAL_DEPS',
  'DOTNET_ENABLEEVENTPIPE',
  'DOTNET_STARTUP_HOOKS',
  'DT',
  'DYNATRACE',
  'ELASTIC_APM',
  'ELASTIC_OTEL',
  'EPSAGON',
  'GLOWROOT',
  'GOCOVERDIR',
  'HEAPPROFILE',
  'HIGHLIGHT',
  'HNY',
  'HONEYBADGER',
  'HONEYCOMB',
  'HYPERDX',
  'INSTANA',
  'JAEGER',
  'KAMON',
  'LANGFUSE',
  'LANGSMITH',
  'LD_AUDIT',
  'LD_PRELOAD',
  'LIGHTSTEP',
  'LOGFIRE',
  'LOGTAIL',
  'LOGZIO',
  'LUMIGO',
  'NEWRELIC',
  'NEW_RELIC',
  'NODE_INSPECTOR_IPC',
  'NODE_V8_COVERAGE',
  'NYC',
  'ODIGOS',
  'OPENCENSUS',
  'OPENTELEMETRY',
  'OTEL',
  'OTLP',
  'PERL5DB',
  'PERL5OPT',
  'PHP_INI_SCAN_DIR',
  'PINPOINT',
  'PYDEVD',
  'PYROSCOPE',
  'PYTHONDEVMODE',
  'PYTHONPERFSUPPORT',
  'PYTHONPROFILEIMPORTTIME',
  'PYTHONTRACEMALLOC',
  'RAYGUN',
  'ROLLBAR',
  'SCOUT',
  'SEMATEXT',
  'SENTRY',
  'SIGNALFX',
  'SIGNOZ',
  'SOLARWINDS',
  'SPLUNK',
  'STACKIFY',
  'SUMOLOGIC',
  'SW_AGENT',
  'SW_APM',
  'TIDEWAYS',
  'TRACELOOP',
  'UPTRACE',
  'VSCODE_INSPECTOR_OPTIONS',
  'XDEBUG',
  'ZIPKIN',
];

/** Bundlers give browsers what begins so, and servers read it, too. */
const PUBLIC_PREFIXES = ['NEXT_PUBLIC', 'NUXT', 'NUXT_PUBLIC', 'PUBLIC', 'VITE'];

const INSTRUMENTING = new RegExp(
  `^((${PUBLIC_PREFIXES.join('|')})_)?(${INSTRUMENTING_PREFIXES.join('|')})(_.*)?$`,
  'i',
);

/** Variables that hold options of a runtime. */
const RUNTIME_OPTIONS = new RegExp(
  '^(NODE_OPTIONS|BUN_OPTIONS|npm_config_node_options|RUBYOPT' +
    '|(_|JDK_)?JAVA_(TOOL_)?OPTIONS|\\w+_OPTS)$',
  'i',
);

/**
 * Options that preload, inspect or profile. Node takes `_` for `-`. Bun's files of settings and of
 * variables may name more such options.
 */
const PRELOADING_OPTION = new RegExp(
  '(?<![\\w-])(' +
    '--(require|import|(experimental[-_])?loader|preload|inspect|debug' +
    '|(cpu[-_]|heap[-_])?prof|trace[-_]event|config|env-file)' +
    '|-r|-javaagent|-agent|-Xrun|-XX:StartFlightRecording)',
);

/** Python loads these by itself, from the folders of $PYTHONPATH. */
const PYTHON_CUSTOMIZATION = /^(site|user)customize(\.py)?$/;

/**
 * Whether a variable of this value instruments, inspects or profiles a process that runs in this
 * folder.
 */
export function instruments(name: string, value: string, cwd: string): boolean {
  if (name === 'PYTHONPATH') return value.split(':').some((path) => customizesPython(cwd, path));
  return INSTRUMENTING.test(name) || (RUNTIME_OPTIONS.test(name) && hasPreloadingOption(value));
}

/** Whether a text, such as a command line, has an option that preloads, inspects or profiles. */
export function hasPreloadingOption(text: string): boolean {
  return PRELOADING_OPTION.test(text);
}

function customizesPython(cwd: string, path: string): boolean {
  return namesIn(resolve(cwd, path)).some((file) => PYTHON_CUSTOMIZATION.test(file));
}
