import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { PlannedServer } from '../plan/planned-server.ts';
import { scenariosOf } from '../suite/select.ts';
import type { Scenario, Suite } from '../suite/suite.ts';
import { orUndefined } from '../words/errors.ts';
import { findPackage, type PackageVersions, readPackageJson } from './packages.ts';
import { isPreloadedPackage, splitFlags } from './preloads.ts';
import { printedVersions } from './runtimes.ts';

const transpiler = new Bun.Transpiler({ loader: 'ts' });

/** What is read of a server. */
type Started = Pick<PlannedServer, 'command' | 'env' | 'cwd' | 'versions'>;

/** What names a file to look at. */
interface Import {
  specifier: string;
  /** The folder from which it is resolved. */
  from: string;
}

/**
 * Returns the versions of the packages that a server preloads, by its command or by options in
 * variables, of those that its own files import, and of those that its suite's command prints.
 */
export function packagesOf(server: Started): PackageVersions {
  // The first line is the runtime's.
  const printed = server.versions ? printedVersions(server.versions, server).slice(1) : [];
  return {
    ...importedPackages(entryPointsOf(server)),
    ...Object.fromEntries(printed.map(({ name, version }) => [name, version])),
  };
}

/**
 * Returns the names of the scenarios that don't use a package, such as a baseline without
 * instrumentation; none if no scenario is seen to use it: then others need it.
 */
export function scenariosWithout(packageName: string, suite: Suite): string[] {
  const all = scenariosOf(suite.tasks);
  const without = all.filter((scenario) => !uses(packageName, scenario, suite));
  return without.length === all.length ? [] : without.map(({ name }) => name);
}

/** Whether a server imports a package, or loads it by an option or a variable. */
function uses(packageName: string, scenario: Scenario, suite: Suite): boolean {
  const { command, env, cwd = suite.cwd, versions } = scenario;
  const words = [...command, ...Object.values(env)].flatMap((text) => text.split(/[\s=]+/));
  const isNamed = words.some((word) => word === packageName || word.startsWith(`${packageName}/`));
  return isNamed || packageName in packagesOf({ command, env, cwd, versions });
}

/**
 * Returns what the words of a command, and of options in variables, may name: files, and packages
 * that are preloaded.
 */
function entryPointsOf({ command, env, cwd }: Started): Import[] {
  const words = splitFlags([...command.slice(1), ...optionsIn(env)]);
  return words.flatMap((word, index) => {
    const file = { specifier: resolve(cwd, word), from: cwd };
    const mayBePackage = isPreloadedPackage(words, index) || /^@?\w.*\//.test(word);
    return mayBePackage ? [file, { specifier: word, from: cwd }] : [file];
  });
}

/** Returns the options that Node and Bun take from variables. */
function optionsIn({ NODE_OPTIONS = '', BUN_OPTIONS = '' }: Started['env']): string[] {
  return `${NODE_OPTIONS} ${BUN_OPTIONS}`.split(/\s+/).filter((word) => word !== '');
}

function importedPackages(entryPoints: readonly Import[]): PackageVersions {
  const versions: PackageVersions = {};
  const seen = new Set<string>();
  const left = [...entryPoints];
  for (let next = left.shift(); next; next = left.shift()) {
    const file = fileOf(next);
    if (file === undefined || seen.has(file) || !existsSync(file)) continue;
    seen.add(file);
    const installed = installedPackageOf(file);
    // What a package imports itself does not matter: only the server's own files are read.
    if (installed)
      versions[installed.name] = readPackageJson(installed.folder).version ?? 'unknown';
    else left.unshift(...importsOf(file));
  }
  return versions;
}

/**
 * Returns the file that is imported, of an installed package its package.json; undefined if there
 * is none. Bun would not find a package that was installed after Bun first looked there: it would
 * take one from its cache.
 */
function fileOf({ specifier, from }: Import): string | undefined {
  const [name] = /^(?:@[^/]+\/)?[^./@][^/]*/.exec(specifier) ?? [];
  const file = name && join(findPackage(name, from) ?? '', 'package.json');
  if (file && installedPackageOf(file)) return file;
  return orUndefined(() => Bun.resolveSync(specifier, from));
}

/**
 * Returns the installed package that has the file; undefined if the file is one of the server's
 * own.
 */
function installedPackageOf(file: string): { folder: string; name: string } | undefined {
  const [, folder = '', name] = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(file) ?? [];
  return name === undefined ? undefined : { folder, name };
}

/** Returns what a file imports; nothing if it is no code that can be read. */
function importsOf(file: string): Import[] {
  const imports = orUndefined(() => transpiler.scanImports(readFileSync(file))) ?? [];
  return imports.map(({ path }) => ({ specifier: path, from: dirname(file) }));
}
