import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { ifThere, namesIn, readText } from '../machine/read.ts';
import type { Environment, Side } from '../result/schema.ts';
import type { PlannedServer } from '../suite/planned.ts';

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

/** Variables of options: only those options go that preload, inspect or profile. */
const OPTIONS = /^(NODE_OPTIONS|BUN_OPTIONS|npm_config_node_options|RUBYOPT|(_|JDK_)?JAVA_(TOOL_)?OPTIONS|\w+_OPTS)$/i;
/** Node takes `_` for `-`. Bun's files of settings and of variables may name more. */
const OPTION =
  '(--(require|import|(experimental[-_])?loader|preload|inspect|debug|(cpu[-_]|heap[-_])?prof|trace[-_]event|config|env-file)' +
  '|-r|-javaagent|-agent|-Xrun|-XX:StartFlightRecording)';
const WORD = '("[^"]*"|[^\\s"])+';
/** Such an option with its value, which may be the next word: in these variables, no other word begins without a `-`. */
const PRELOADING = new RegExp(`(?<!\\S)("${OPTION}[^"]*"|${OPTION}(${WORD})?)(\\s+(?!"?-)${WORD})*`, 'g');

/** What is left of a variable's value without what instruments. */
function left(name: string, value: string, cwd: string): string {
  if (INSTRUMENTING.test(name)) return '';
  if (OPTIONS.test(name)) return value.replace(PRELOADING, '').trim();
  if (name !== 'PYTHONPATH') return value;
  // Python loads these by itself.
  const loads = (module: string) => /^(site|user)customize(\.py)?$/.test(module);
  const kept = value.split(':').filter((folder) => !namesIn(resolve(cwd, folder)).some(loads));
  return kept.join(':');
}

/** Files that Bun's servers, and others by a package, read in production. What the environment has goes before them. */
const FILES = ['.env', '.env.production', '.env.local', '.env.production.local'];

/** What a server or service is started with. */
type Launch = Pick<PlannedServer, 'cwd' | 'env' | 'command'>;

/** What tracetax sets itself, whatever files say. */
const OURS = /^(HOST|PORT|NODE_ENV|TMPDIR)$/;

/** In such a file. A value in quotes is taken whole: no line of a private key is a variable's name, which reports tell. */
const VARIABLE =
  /^\s*(?:export\s+)?([\w.-]+)\s*(?:=|:\s)(\s*(["'`])(?:\\[\s\S]|(?!\3)[^\\])*\3(?=[^\S\n]*(?:#.*)?$)|.*)/gm;

/** Files of variables that a command names: by an option of Node or Bun, or of the package dotenv-cli. */
function namedBy(command: string[]): string[] {
  const isDotenv = command.some((word) => basename(word) === 'dotenv');
  return command.flatMap((word, index) => {
    const [own, , value] = /^--env-file(-if-exists)?(?:=(.*))?$/.exec(word) ?? [];
    return own || (isDotenv && word === '-e') ? (value ?? command[index + 1] ?? []) : [];
  });
}

function variablesInFiles({ cwd, command }: Launch): Record<string, string> {
  const found = [...FILES, ...namedBy(command)].flatMap((file) => [
    ...(readText(resolve(cwd, file)) ?? '').matchAll(VARIABLE),
  ]);
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, value.trim()]));
}

/** What a server has in place of the user's variables that instrument, undefined for nothing; and what files supply. */
export function inherited(server: Launch, users = process.env) {
  const { cwd, env } = server;
  const files = variablesInFiles(server);
  const names = Object.keys({ ...files, ...users }).filter((name) => !(name in env) && !OURS.test(name));
  const changed: Record<string, string | undefined> = {};
  const supplied: string[] = [];
  for (const name of names) {
    const value = users[name] ?? files[name] ?? '';
    const rest = left(name, value, cwd);
    // An empty value keeps a file from supplying its own, of which the quotes are not understood here.
    if (rest !== value) changed[name] = (name in users && rest) || (name in files ? '' : undefined);
    else if (!(name in users)) supplied.push(name);
  }
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
  const read = (file: string) => readText(join(cwd, file)) ?? '';
  // Options may stand in quotes, and behind the name of their variable.
  const preloads = (text = '') => text.replace(/(?<![\w-])\w+=|['"]/g, ' ').search(PRELOADING) !== -1;
  const bunfig = ifThere(() => Bun.TOML.parse(read('bunfig.toml'))) as { preload?: unknown } | undefined;
  const scripts = Object.entries<string>(ifThere(() => JSON.parse(read('package.json')).scripts) ?? {});
  const ofNpm = [read('.npmrc'), readText(join(homedir(), '.npmrc'))];
  const runner = basename(program);
  const [isBun, isNpm] = [runner === 'bun', /^(npm|npx|pnpm|yarn)$/.test(runner)];
  const does = {
    'bunfig.toml': isBun && bunfig?.preload,
    '.npmrc': isNpm && ofNpm.some((text = '') => preloads(/^\s*node-options\s*=(.*)$/m.exec(text)?.[1])),
    'package.json': (isBun || isNpm) && scripts.some(([name, script]) => words.includes(name) && preloads(script)),
  };
  return Object.entries(does).flatMap(([file, isPreloading]) => (isPreloading ? [file] : []));
}
