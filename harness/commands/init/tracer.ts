import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { orUndefined } from '../../words/errors.ts';
import { readText } from '../../words/files.ts';
import type { Start } from './start.ts';

/** A tracer, how it is switched off by variables, and how it is told where to send: by the first of `on`. */
interface Tracer {
  title: string;
  packages: RegExp;
  off: Record<string, string>;
  on?: Record<string, string>;
  /** What a file says that starts it; left out, to load it is to start it. */
  begins?: RegExp;
}

const TRACERS: Tracer[] = [
  {
    title: 'Sentry',
    packages: /^@sentry\//,
    off: { SENTRY_DSN: '' },
    on: { SENTRY_DSN: 'http://key@{sink}/1' },
    // Others call its error handlers.
    begins: /\binit\w*\s*\(/,
  },
  {
    title: 'dd-trace',
    packages: /^dd-trace(\/|$)/,
    off: { DD_TRACE_ENABLED: 'false' },
    on: {
      DD_TRACE_AGENT_URL: 'http://{sink}',
      // By its own protocol: it would obey what tells an OpenTelemetry SDK where to export.
      OTEL_TRACES_EXPORTER: '',
      OTEL_METRICS_EXPORTER: '',
    },
  },
  { title: 'New Relic', packages: /^newrelic(\/|$)/, off: { NEW_RELIC_ENABLED: 'false' } },
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
    // Its API alone, and names for attributes, record nothing. Azure's distribution exports in a way of its own.
    packages:
      /^(?!@azure\/|@opentelemetry\/(api|semantic-conventions|resources|core)(\/|$|-logs)).*\b(opentelemetry|otel)\b/,
    off: { OTEL_SDK_DISABLED: 'true' },
    on: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://{sink}' },
  },
];

const PRELOAD = /^(-r|--(require|import|preload|loader|experimental-loader))$/;

/** Words of a command, `--import=FILE` as two. */
const apart = (words: string[]) =>
  words.flatMap((word) =>
    word.split(/(?<=^--(?:require|import|preload|loader|experimental-loader))=/),
  );
const optionsIn = ({ NODE_OPTIONS = '' }: Start['env']) => NODE_OPTIONS.split(/\s+/);

/** The tracers among the packages that a server loads, from file to file, and whether it also starts them. */
export function tracersIn(folder: string, { command, env }: Start) {
  const packages = new Set<string>();
  const texts = new Map<string, string>();
  const follow = (file: string) => {
    if (texts.has(file)) return;
    const text = readText(file) ?? '';
    texts.set(file, text);
    const transpiler = new Bun.Transpiler({ loader: /\.[mc]?ts$/.test(file) ? 'ts' : 'tsx' });
    for (const { path } of orUndefined(() => transpiler.scanImports(text)) ?? []) {
      const found = orUndefined(() => Bun.resolveSync(path, dirname(file)));
      // Bun finds packages that are not installed in a cache of its own.
      const isOwn =
        path.startsWith('.') ||
        (found?.startsWith(`${folder}/`) && !found.includes('/node_modules/'));
      if (found && isOwn) follow(found);
      else packages.add(path);
    }
  };
  const beside = /\bnext start\b/.test(command.join(' '))
    ? ['instrumentation', 'src/instrumentation']
    : [];
  const words = apart([...command.slice(1), ...optionsIn(env), ...beside]);
  for (const [at, word] of words.entries()) {
    // Node finds no file by the name alone: "newrelic" is the package, beside its settings in newrelic.js.
    const isPackage = PRELOAD.test(words[at - 1] ?? '') && !/^\.{0,2}\/|\.[mc]?[jt]sx?$/.test(word);
    const file = isPackage ? undefined : sourceOf(folder, word);
    if (file) follow(file);
    else if (!word.startsWith('.')) packages.add(word);
  }
  const loaded = TRACERS.filter((tracer) =>
    [...packages].some((name) => tracer.packages.test(name)),
  );
  const begins = ({ begins }: Tracer) =>
    !begins || [...texts.values()].some((text) => begins.test(text));
  return loaded.map((tracer) => ({ ...tracer, isStarted: begins(tracer) }));
}

/** The same start without what preloads a tracer. */
export function withoutPreloads(folder: string, start: Start): Start {
  const isTracer = (word = '') =>
    tracersIn(folder, { ...start, env: {}, command: ['node', '-r', word] }).length > 0;
  const left = (given: string[]) => {
    const words = apart(given);
    const isPreload = (at: number) => PRELOAD.test(words[at] ?? '') && isTracer(words[at + 1]);
    return words.filter((_, at) => !isPreload(at) && !isPreload(at - 1));
  };
  const { NODE_OPTIONS, ...env } = start.env;
  const options = left(optionsIn(start.env)).join(' ');
  return {
    ...start,
    command: left(start.command),
    env: { ...env, ...(options && { NODE_OPTIONS: options }) },
  };
}

/** The source of what is started, which may be built from it; undefined if there is none. */
function sourceOf(folder: string, path: string): string | undefined {
  const source = path
    .replace(/^(\.\/)?(dist|build|out|lib)\/(src\/)?/, '')
    .replace(/\.[mc]?js$/, '');
  const paths =
    source === path.replace(/\.[mc]?js$/, '') ? [path] : [`src/${source}`, source, path];
  const ends = ['', '.ts', '.mts', '.tsx', '.js', '.mjs', '.cjs', '/index.ts', '/index.js'];
  const files = paths.flatMap((each) => ends.map((end) => resolve(folder, each + end)));
  return files.find((file) => existsSync(file) && statSync(file).isFile());
}
