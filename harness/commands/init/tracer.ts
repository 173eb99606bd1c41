import { existsSync, statSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { ifThere, readText } from '../../machine/read.ts';
import type { Start } from './start.ts';

/** A tracer, how it is switched off by variables, and how it is told where to send. */
interface Tracer {
  title: string;
  packages: RegExp;
  off: Record<string, string>;
  on?: Record<string, string>;
}

const TRACERS: Tracer[] = [
  {
    title: 'Sentry',
    packages: /^@sentry\//,
    off: { SENTRY_DSN: '' },
    on: { SENTRY_DSN: 'http://key@{sink}/1' },
  },
  {
    title: 'dd-trace',
    packages: /^dd-trace(\/|$)/,
    off: { DD_TRACE_ENABLED: 'false' },
    on: { DD_TRACE_AGENT_URL: 'http://{sink}' },
  },
  { title: 'New Relic', packages: /^newrelic(\/|$)/, off: { NEW_RELIC_ENABLED: 'false' } },
  { title: 'Elastic APM', packages: /^elastic-apm-node(\/|$)/, off: { ELASTIC_APM_ACTIVE: 'false' } },
  {
    title: 'OpenTelemetry',
    // Its API alone, and names for attributes, record nothing.
    packages: /^(?!@opentelemetry\/(api|semantic-conventions|resources|core)(\/|$|-logs)).*\b(opentelemetry|otel)\b/,
    off: { OTEL_SDK_DISABLED: 'true' },
    on: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://{sink}' },
  },
];

const PRELOAD = /^(-r|--(require|import|preload|loader|experimental-loader))(?:=(.*))?$/;
const BY_NAME = /trac(e|ing)|instrument|telemetry|otel|apm|monitor/i;

/** What a server loads: files of its project, and packages by their specifiers. */
export interface Loaded {
  files: Map<string, string>;
  packages: Set<string>;
}

/** What its command loads, from file to file. */
export function loadedBy(folder: string, { command, env }: Start): Loaded {
  const loaded: Loaded = { files: new Map(), packages: new Set() };
  const words = [...command.slice(1), ...(env.NODE_OPTIONS ?? '').split(/\s+/)];
  const framework = basename(command[0] ?? '') === 'next' ? ['instrumentation', 'src/instrumentation'] : [];
  for (const word of [...words, ...framework]) {
    const specifier = PRELOAD.exec(word)?.[3] ?? word;
    const file = sourceOf(folder, specifier);
    if (file) follow(folder, file, loaded);
    else if (!specifier.startsWith('.')) loaded.packages.add(specifier);
  }
  return loaded;
}

/** The tracers among its packages. */
export const tracersIn = ({ packages }: Loaded): Tracer[] =>
  TRACERS.filter((tracer) => [...packages].some((name) => tracer.packages.test(name)));

/** The same start without what preloads a tracer. */
export function withoutPreloads(folder: string, start: Start): Start {
  const isTracer = (specifier: string) => {
    const loaded = loadedBy(folder, { ...start, env: {}, command: ['node', specifier] });
    return tracersIn(loaded).length > 0 || BY_NAME.test(basename(specifier));
  };
  const left = (words: string[]) =>
    words.filter((word, index) => {
      const own = PRELOAD.exec(word);
      const value = own ? (own[3] ?? words[index + 1]) : PRELOAD.test(words[index - 1] ?? '') ? word : undefined;
      return value === undefined || !isTracer(value);
    });
  const { NODE_OPTIONS, ...env } = start.env;
  const options = left((NODE_OPTIONS ?? '').split(/\s+/)).join(' ');
  return { ...start, command: left(start.command), env: { ...env, ...(options && { NODE_OPTIONS: options }) } };
}

/** The source of what is started, which may be built from it. */
function sourceOf(folder: string, path: string): string | undefined {
  const source = path.replace(/^(\.\/)?(dist|build|out|lib)\/(src\/)?/, '').replace(/\.[mc]?js$/, '');
  const paths = source === path.replace(/\.[mc]?js$/, '') ? [path] : [`src/${source}`, source, path];
  const files = paths.flatMap((each) =>
    ['', '.ts', '.mts', '.js', '.mjs', '.cjs', '/index.js'].map((end) => each + end),
  );
  return files.map((file) => resolve(folder, file)).find((file) => existsSync(file) && statSync(file).isFile());
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

/** What its files fix that a suite must be able to say: a sentence each, with the remedy. */
export function fixedIn({ files }: Loaded, folder: string): string[] {
  const texts = [...files].map(([file, text]) => ({ file: relative(folder, file), text }));
  const readsPort = texts.some(({ text }) => /\bPORT\b/.test(text));
  const port = texts.find(({ text }) => /listen\(\s*(\{\s*port:\s*)?(\d|port\b)|\bport\s*[:=]\s*\d/.test(text));
  const dsn = texts.find(({ text }) => /\bdsn\s*:\s*['"`]http/.test(text));
  return [
    ...(port && !readsPort ? [`${port.file} names its port: let it listen on process.env.PORT.`] : []),
    ...(dsn ? [`${dsn.file} names its DSN: let process.env.SENTRY_DSN say where it sends.`] : []),
  ];
}
