import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isPreloadedPackage, PRELOAD_FLAG, splitFlags } from '../../software/preloads.ts';
import { orUndefined } from '../../words/errors.ts';
import { readText } from '../../words/files.ts';
import type { StartCommand } from './start-command.ts';
import { TRACERS, type Tracer } from './tracers.ts';

/** What a server loads is said by these. */
type Loading = Pick<StartCommand, 'command' | 'env'>;

/** Next loads one of these by itself. */
const NEXT_INSTRUMENTATION = ['instrumentation', 'src/instrumentation'];
const BUILD_FOLDER = /^(\.\/)?(dist|build|out|lib)\/(src\/)?/;
const SCRIPT_ENDING = /\.[mc]?js$/;
const SOURCE_ENDINGS = ['', '.ts', '.mts', '.tsx', '.js', '.mjs', '.cjs', '/index.ts', '/index.js'];

/** A tracer whose packages a server loads. */
export interface LoadedTracer extends Tracer {
  /** Whether the server also starts it. */
  isStarted: boolean;
}

/** What a server loads. */
interface LoadedCode {
  /** The names of packages. */
  packages: Set<string>;
  /** The texts of the project's files. */
  sources: string[];
}

/** Returns the tracers among the packages that a server loads. */
export function tracersIn(folder: string, loading: Loading): LoadedTracer[] {
  const { packages, sources } = loadedCode(folder, loading);
  const loaded = TRACERS.filter((tracer) =>
    [...packages].some((name) => tracer.packages.test(name)),
  );
  return loaded.map((tracer) => ({ ...tracer, isStarted: isStarted(tracer, sources) }));
}

function isStarted({ starting }: Tracer, sources: string[]): boolean {
  return starting === undefined || sources.some((source) => starting.test(source));
}

/** Returns the same start without what preloads a tracer. */
export function withoutPreloads(folder: string, start: StartCommand): StartCommand {
  const { NODE_OPTIONS: _, ...env } = start.env;
  const options = withoutTracers(folder, nodeOptions(start.env)).join(' ');
  return {
    ...start,
    command: withoutTracers(folder, start.command),
    env: { ...env, ...(options && { NODE_OPTIONS: options }) },
  };
}

function withoutTracers(folder: string, given: string[]): string[] {
  const words = splitFlags(given);
  const isTracer = (word = '') =>
    tracersIn(folder, { command: ['node', '-r', word], env: {} }).length > 0;
  const isTracerFlag = (index: number) =>
    PRELOAD_FLAG.test(words[index] ?? '') && isTracer(words[index + 1]);
  return words.filter((_, index) => !isTracerFlag(index) && !isTracerFlag(index - 1));
}

function nodeOptions({ NODE_OPTIONS = '' }: StartCommand['env']): string[] {
  return NODE_OPTIONS.split(/\s+/);
}

/** Follows imports from file to file of the project. */
function loadedCode(folder: string, loading: Loading): LoadedCode {
  const words = loadingWords(loading);
  const packages = new Set<string>();
  const files = new Set<string>();
  for (const [index, word] of words.entries()) {
    const file = isPreloadedPackage(words, index) ? undefined : sourceOf(folder, word);
    if (file !== undefined) files.add(file);
    else if (!word.startsWith('.')) packages.add(word);
  }
  const sources: string[] = [];
  // The loop also visits the files that it adds.
  for (const file of files) {
    const source = readText(file) ?? '';
    sources.push(source);
    for (const specifier of importsIn(file, source)) {
      const imported = projectFileOf(folder, file, specifier);
      if (imported === undefined) packages.add(specifier);
      else files.add(imported);
    }
  }
  return { packages, sources };
}

/** Returns the words of a start that may name what is loaded. */
function loadingWords({ command, env }: Loading): string[] {
  const isNext = /\bnext start\b/.test(command.join(' '));
  return splitFlags([
    ...command.slice(1),
    ...nodeOptions(env),
    ...(isNext ? NEXT_INSTRUMENTATION : []),
  ]);
}

function importsIn(file: string, source: string): string[] {
  const transpiler = new Bun.Transpiler({ loader: /\.[mc]?ts$/.test(file) ? 'ts' : 'tsx' });
  const imports = orUndefined(() => transpiler.scanImports(source)) ?? [];
  return imports.map(({ path }) => path);
}

/** Returns the file that is imported; undefined if it is a package's, or if it is not there. */
function projectFileOf(folder: string, importer: string, specifier: string): string | undefined {
  const found = orUndefined(() => Bun.resolveSync(specifier, dirname(importer)));
  if (found === undefined || specifier.startsWith('.')) return found;
  // Bun finds packages that are not installed in a cache of its own.
  const isOfProject = found.startsWith(`${folder}/`) && !found.includes('/node_modules/');
  return isOfProject ? found : undefined;
}

/**
 * Returns the source of a file that is started, which may be built from it; undefined if there is
 * none.
 */
function sourceOf(folder: string, path: string): string | undefined {
  const isBuilt = BUILD_FOLDER.test(path);
  const source = path.replace(BUILD_FOLDER, '').replace(SCRIPT_ENDING, '');
  const candidates = isBuilt ? [`src/${source}`, source, path] : [path];
  const files = candidates.flatMap((candidate) =>
    SOURCE_ENDINGS.map((ending) => resolve(folder, candidate + ending)),
  );
  return files.find((file) => existsSync(file) && statSync(file).isFile());
}
