import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { PlannedServer } from '../plan/planned-server.ts';
import { orUndefined } from '../words/errors.ts';
import { type PackageVersions, readPackageJson } from './packages.ts';
import { printedVersions } from './runtimes.ts';

const transpiler = new Bun.Transpiler({ loader: 'ts' });

/** What names a file to look at. */
interface Import {
  specifier: string;
  /** The folder from which it is resolved. */
  from: string;
}

/**
 * Returns the versions of the packages that the files of a server import (those of its command, and
 * of its repository below them), and of those that its suite's command prints.
 */
export function packagesOf(server: PlannedServer): PackageVersions {
  // The first line is the runtime's.
  const printed = server.versions ? printedVersions(server.versions, server).slice(1) : [];
  return {
    ...importedPackages(entryPointsOf(server)),
    ...Object.fromEntries(printed.map(({ name, version }) => [name, version])),
  };
}

/** Returns what the words of a command may name: files, and packages that are preloaded. */
function entryPointsOf({ command, cwd }: PlannedServer): Import[] {
  return command.slice(1).flatMap((word) => {
    const file = { specifier: resolve(cwd, word), from: cwd };
    const mayBePackage = /^@?\w.*\//.test(word);
    return mayBePackage ? [file, { specifier: word, from: cwd }] : [file];
  });
}

function importedPackages(entryPoints: readonly Import[]): PackageVersions {
  const versions: PackageVersions = {};
  const seen = new Set<string>();
  const left = [...entryPoints];
  for (let next = left.shift(); next; next = left.shift()) {
    const { specifier, from } = next;
    const file = orUndefined(() => Bun.resolveSync(specifier, from));
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
