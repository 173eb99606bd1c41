import { basename, dirname, join, relative } from 'node:path';
import { ifThere, readText } from '../../machine/read.ts';
import { sourceOf } from './project.ts';
import type { Start } from './start.ts';

/** A tracer, how it is switched off by variables, and how it is told where to send. */
interface Tracer {
  title: string;
  packages: RegExp;
  off: Record<string, string>;
  on?: Record<string, string>;
  /** What a file says that starts it; left out, to load it is to start it. */
  begins?: RegExp;
  /** What a file says that sends elsewhere, whatever those variables say. */
  fixed?: RegExp;
}

const TRACERS: Tracer[] = [
  {
    title: 'Sentry',
    packages: /^@sentry\//,
    off: { SENTRY_DSN: '' },
    on: { SENTRY_DSN: 'http://key@{sink}/1' },
    begins: /\binit\w*\s*\(/,
    // An empty variable does not keep a server from the other address in `SENTRY_DSN || 'https://...'`.
    fixed: /\bdsn\s*:(?!.*\bSENTRY_DSN\b)|\bdsn\s*:.*['"`]https?:/,
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
    fixed: /\bserverUrl\s*:(?!.*\bELASTIC_APM_SERVER_URL\b)/,
  },
  {
    title: 'OpenTelemetry',
    // Its API alone, and names for attributes, record nothing. Azure's distribution exports in a way of its own.
    packages:
      /^(?!@azure\/|@opentelemetry\/(api|semantic-conventions|resources|core)(\/|$|-logs)).*\b(opentelemetry|otel)\b/,
    off: { OTEL_SDK_DISABLED: 'true' },
    on: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://{sink}' },
    fixed: /^(?=[\s\S]*OTLP\w*Exporter)[\s\S]*\burl\s*:\s*(['"`]https?:|\w+\.env\.(?!OTEL_EXPORTER_OTLP))/,
  },
];

const PRELOAD = /^(-r|--(require|import|preload|loader|experimental-loader))(?:=(.*))?$/;
const BY_NAME = /trac(e|ing)|instrument|telemetry|otel|apm|monitor/i;

/** What a server loads: files of its project with their texts, and packages by their specifiers. */
type Loaded = ReturnType<typeof loadedBy>;

/** What its command loads, from file to file. */
export function loadedBy(folder: string, { command, env }: Start) {
  const loaded = { files: new Map<string, string>(), packages: new Set<string>() };
  const words = [...command.slice(1), ...(env.NODE_OPTIONS ?? '').split(/\s+/)];
  const named = words.map((word, index) => ({ word, preload: preloadedBy(word, index, words) }));
  const isNext = /\bnext start\b|\.next\/standalone\//.test(command.join(' '));
  const beside = isNext ? ['instrumentation', 'src/instrumentation'] : [];
  if (command[0] === 'bun') beside.push(...preloadsOf(folder));
  for (const { word, preload } of [...named, ...beside.map((word) => ({ word, preload: undefined }))]) {
    // Node finds no file by the name alone: "newrelic" is the package, beside its settings in newrelic.js.
    const isPackage = preload !== undefined && !/^\.{0,2}\/|\.[mc]?[jt]sx?$/.test(preload);
    const file = isPackage ? undefined : sourceOf(folder, preload ?? word);
    if (file) follow(folder, file, loaded);
    else if (!word.startsWith('.')) loaded.packages.add(preload ?? word);
  }
  return loaded;
}

/** What an option preloads, be this word the option or its value. */
function preloadedBy(word: string, index: number, words: string[]): string | undefined {
  const [own, , , value] = PRELOAD.exec(word) ?? [];
  if (own) return value ?? words[index + 1];
  const before = words[index - 1] ?? '';
  return PRELOAD.test(before) && !before.includes('=') ? word : undefined;
}

function preloadsOf(folder: string): string[] {
  const settings = ifThere(() => Bun.TOML.parse(readText(join(folder, 'bunfig.toml')) ?? '')) as { preload?: unknown };
  return [settings?.preload ?? []].flat().filter((file) => typeof file === 'string');
}

/** The tracers among its packages. */
export const tracersIn = ({ packages }: Pick<Loaded, 'packages'>): Tracer[] =>
  TRACERS.filter((tracer) => [...packages].some((name) => tracer.packages.test(name)));

/** Whether one of them is started, and not only there to be called, as error handlers are. */
export const startsIn = (loaded: Loaded): boolean =>
  tracersIn(loaded).some(({ begins }) => !begins || [...loaded.files.values()].some((text) => begins.test(text)));

/** The same start without what preloads a tracer. */
export function withoutPreloads(folder: string, start: Start): Start {
  const isTracer = (specifier: string) => {
    const loaded = loadedBy(folder, { ...start, env: {}, command: ['node', '--import', specifier] });
    return tracersIn(loaded).length > 0 || BY_NAME.test(basename(specifier));
  };
  const left = (words: string[]) =>
    words.filter((word, index) => {
      const value = preloadedBy(word, index, words);
      return value === undefined || !isTracer(value);
    });
  const { NODE_OPTIONS, ...env } = start.env;
  const options = left((NODE_OPTIONS ?? '').split(/\s+/)).join(' ');
  return { ...start, command: left(start.command), env: { ...env, ...(options && { NODE_OPTIONS: options }) } };
}

function follow(folder: string, file: string, loaded: Loaded): void {
  if (loaded.files.has(file)) return;
  const text = readText(file) ?? '';
  loaded.files.set(file, text);
  const transpiler = new Bun.Transpiler({ loader: /\.[mc]?ts$/.test(file) ? 'ts' : 'tsx' });
  for (const { path } of ifThere(() => transpiler.scanImports(text)) ?? []) {
    const found = ifThere(() => Bun.resolveSync(path, dirname(file)));
    // Bun finds packages that are not installed in a cache of its own.
    const isOwn = path.startsWith('.') || (found?.startsWith(`${folder}/`) && !found.includes('/node_modules/'));
    if (found && isOwn) follow(folder, found, loaded);
    else loaded.packages.add(path);
  }
}

/** Packages whose tracer obeys $OTEL_SDK_DISABLED; of parts of an SDK, put together by hand, none does. */
const OBEYING = /^(@opentelemetry\/(sdk-node|auto-instrumentations-node)|@vercel\/otel|@elysiajs\/opentelemetry)(\/|$)/;

/** What to do for variables to switch the tracer off; nothing if they do, or if nothing tells. */
export function deafIn({ packages, files }: Loaded): string[] {
  const has = (pattern: RegExp) => [...packages].some((name) => pattern.test(name));
  const reads = [...files.values()].some((text) => text.includes('OTEL_SDK_DISABLED'));
  const isDeaf = has(/^@opentelemetry\/sdk-(trace|metrics)/) && !has(OBEYING) && !reads;
  return isDeaf ? ['let your code set up nothing if OTEL_SDK_DISABLED is "true", and delete this line'] : [];
}

/** What says itself where a tracer sends: how to let the suite say it, a sentence each. */
export function fixedIn({ files }: Loaded, folder: string, { title, on = {}, fixed }: Tracer): string[] {
  const paths = [...files].flatMap(([file, text]) => (fixed?.test(text) ? [relative(folder, file)] : []));
  return paths.map(
    (path) => `${path} says where ${title} sends: leave that to ${Object.keys(on)[0]}, and delete this line`,
  );
}
