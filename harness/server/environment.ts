import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { PlannedServer } from '../plan/planned-server.ts';
import type { Environment, Side } from '../result/schema.ts';
import { orUndefined } from '../words/errors.ts';
import { namesIn, readText } from '../words/files.ts';

/** Variables that instrument, inspect or profile a process, or load code into it: these names, alone or before a `_`. */
const NAMES = `
  AIRBRAKE APITALLY APPD APPDYNAMICS APPINSIGHTS APPLICATIONINSIGHTS APPSIGNAL ASPNETCORE_HOSTINGSTARTUPASSEMBLIES
  ATATUS AWS_XRAY AXIOM AZURE_MONITOR BASELIME BLACKFIRE BUGSNAG BUN_INSPECT CONTRAST COR CORALOGIX CORECLR COVERAGE
  CPUPROFILE DATADOG DD DEBUGPY DENO_COVERAGE_DIR DOTNET_ADDITIONAL_DEPS DOTNET_ENABLEEVENTPIPE DOTNET_STARTUP_HOOKS DT
  DYNATRACE ELASTIC_APM ELASTIC_OTEL EPSAGON GLOWROOT GOCOVERDIR HEAPPROFILE HIGHLIGHT HNY HONEYBADGER HONEYCOMB HYPERDX
  INSTANA JAEGER KAMON LANGFUSE LANGSMITH LD_AUDIT LD_PRELOAD LIGHTSTEP LOGFIRE LOGTAIL LOGZIO LUMIGO NEWRELIC NEW_RELIC
  NODE_INSPECTOR_IPC NODE_V8_COVERAGE NYC ODIGOS OPENCENSUS OPENTELEMETRY OTEL OTLP PERL5DB PERL5OPT PHP_INI_SCAN_DIR
  PINPOINT PYDEVD PYROSCOPE PYTHONDEVMODE PYTHONPERFSUPPORT PYTHONPROFILEIMPORTTIME PYTHONTRACEMALLOC RAYGUN ROLLBAR
  SCOUT SEMATEXT SENTRY SIGNALFX SIGNOZ SOLARWINDS SPLUNK STACKIFY SUMOLOGIC SW_AGENT SW_APM TIDEWAYS TRACELOOP UPTRACE
  VSCODE_INSPECTOR_OPTIONS XDEBUG ZIPKIN`;
/** Bundlers give browsers what begins so, and servers read it, too. */
const PUBLIC = '((NEXT_PUBLIC|NUXT|NUXT_PUBLIC|PUBLIC|VITE)_)?';
const INSTRUMENTING = new RegExp(`^${PUBLIC}(${NAMES.trim().replace(/\s+/g, '|')})(_.*)?$`, 'i');

/** Variables of options: they go if one of these preloads, inspects or profiles. */
const OPTIONS =
  /^(NODE_OPTIONS|BUN_OPTIONS|npm_config_node_options|RUBYOPT|(_|JDK_)?JAVA_(TOOL_)?OPTIONS|\w+_OPTS)$/i;
/** Node takes `_` for `-`. Bun's files of settings and of variables may name more. */
const PRELOADING =
  /(?<![\w-])(--(require|import|(experimental[-_])?loader|preload|inspect|debug|(cpu[-_]|heap[-_])?prof|trace[-_]event|config|env-file)|-r|-javaagent|-agent|-Xrun|-XX:StartFlightRecording)/;
/** Python loads these by itself, from the folders of $PYTHONPATH. */
const PYTHON_LOADS = /^(site|user)customize(\.py)?$/;

function instruments(name: string, value: string, cwd: string): boolean {
  const inPath = (folder: string) =>
    namesIn(resolve(cwd, folder)).some((file) => PYTHON_LOADS.test(file));
  if (name === 'PYTHONPATH') return value.split(':').some(inPath);
  return INSTRUMENTING.test(name) || (OPTIONS.test(name) && PRELOADING.test(value));
}

/** Files that Bun's servers, and others by a package, read in production. What the environment has goes before them. */
const FILES = ['.env', '.env.production', '.env.local', '.env.production.local'];

/** What a server or service is started with. */
type Launch = Pick<PlannedServer, 'cwd' | 'env' | 'command'>;

/** What tracetax sets itself, whatever files say. */
const OURS = /^(HOST|PORT|NODE_ENV|TMPDIR)$/;

/** Files of variables that a command names: by an option of Node or Bun, or of the package dotenv-cli. */
function namedBy(command: readonly string[]): string[] {
  const isDotenv = command.some((word) => basename(word) === 'dotenv');
  return command.flatMap((word, index) => {
    const [own, , value] = /^--env-file(-if-exists)?(?:=(.*))?$/.exec(word) ?? [];
    return own || (isDotenv && word === '-e') ? (value ?? command[index + 1] ?? []) : [];
  });
}

function variablesInFiles({ cwd, command }: Launch): Record<string, string> {
  const files = [...FILES, ...namedBy(command)].map((file) => readText(resolve(cwd, file)) ?? '');
  return Object.assign({}, ...files.map((content) => parseEnv(content)));
}

/** What a server has in place of the user's variables that instrument, undefined for nothing; and what files supply. */
export function inherited(server: Launch, users = process.env) {
  const files = variablesInFiles(server);
  const all: typeof users = { ...files, ...users };
  const names = Object.keys(all).filter((name) => !(name in server.env) && !OURS.test(name));
  const removed = names.filter((name) => instruments(name, all[name] ?? '', server.cwd));
  const supplied = names.filter((name) => !(name in users || removed.includes(name)));
  // An empty value keeps a file from supplying its own.
  const changed = Object.fromEntries(removed.map((name) => [name, name in files ? '' : undefined]));
  return { changed, supplied };
}

/** What a server or service has in place of the user's variables. In production mode, since development mode costs. */
export function environmentOf(server: Launch, host: string, port: number | string) {
  const own = { ...server.env, HOST: host, PORT: String(port), NODE_ENV: 'production' };
  return { ...inherited({ ...server, env: own }).changed, ...own };
}

/** What was taken out of the environment of any server, what files supply to it, and what makes baselines preload code. */
export function variablesOf(rows: Record<Side, PlannedServer>[]): Environment['variables'] {
  const all = rows.flatMap(({ baseline, scenario }) => [inherited(baseline), inherited(scenario)]);
  const sorted = (names: string[]) => [...new Set(names)].sort();
  return {
    removed: sorted(all.flatMap(({ changed }) => Object.keys(changed))),
    supplied: sorted(all.flatMap(({ supplied }) => supplied)),
    preloading: sorted(rows.flatMap(({ baseline }) => preloading(baseline))),
  };
}

/** Files of a server's project that make its command preload code. */
function preloading({ command: [program = '', ...words], cwd }: PlannedServer): string[] {
  const read = (file: string) => readText(resolve(cwd, file)) ?? '';
  const bunfig = orUndefined(() => Bun.TOML.parse(read('bunfig.toml'))) as
    | { preload?: unknown }
    | undefined;
  const scripts = Object.entries<string>(
    orUndefined(() => JSON.parse(read('package.json')).scripts) ?? {},
  );
  const ofNpm = [read('.npmrc'), read(join(homedir(), '.npmrc'))].map(
    (text) => /^\s*node-options\s*=.*$/m.exec(text)?.[0],
  );
  const runner = basename(program);
  const [isBun, isNpm] = [runner === 'bun', /^(npm|npx|pnpm|yarn)$/.test(runner)];
  const does = {
    'bunfig.toml': isBun && bunfig?.preload,
    '.npmrc': isNpm && ofNpm.some((line = '') => PRELOADING.test(line)),
    'package.json':
      (isBun || isNpm) &&
      scripts.some(([name, script]) => words.includes(name) && PRELOADING.test(script)),
  };
  return Object.entries(does).flatMap(([file, isPreloading]) => (isPreloading ? [file] : []));
}
