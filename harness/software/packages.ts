import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { PlannedServer } from '../plan/planned-server.ts';
import { orUndefined } from '../words/errors.ts';
import { readText } from '../words/files.ts';

/** The folder and those above it, up to this root. */
export function upwards(folder: string, root: string): string[] {
  if (relative(root, folder).startsWith('..')) return [];
  return folder === root ? [root] : [folder, ...upwards(dirname(folder), root)];
}

/** Where a package of that name is found from there; undefined if it is not, as those for other systems. */
export function folderOf(name: string, from: string): string | undefined {
  const places = upwards(from, '/').map((folder) => join(folder, 'node_modules', name));
  return places.flatMap((place) => orUndefined(() => realpathSync(place)) ?? [])[0];
}

/** Versions of the packages that the files of a server import (those of its command, and of its repository below them). */
export function versionsOf(server: PlannedServer): Record<string, string> {
  const { command, versions: told, cwd } = server;
  const versions: Record<string, string> = {};
  const seen = new Set<string>();
  const transpiler = new Bun.Transpiler({ loader: 'ts' });
  const visit = (path: string, from: string) => {
    const file = orUndefined(() => Bun.resolveSync(path, from));
    if (file === undefined || seen.has(file) || !existsSync(file)) return;
    seen.add(file);
    const [, folder = '', name] = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(file) ?? [];
    if (name) versions[name] = packageOf(folder).version ?? 'unknown';
    // What is no code of ours has no imports that matter.
    const imports = name ? [] : orUndefined(() => transpiler.scanImports(readFileSync(file)));
    for (const each of imports ?? []) visit(each.path, dirname(file));
  };
  for (const word of command.slice(1)) {
    visit(resolve(cwd, word), cwd);
    // What is preloaded may be named as a package.
    if (/^@?\w.*\//.test(word)) visit(word, cwd);
  }
  for (const { name, version } of told ? printedBy(told, server).slice(1) : [])
    versions[name] = version;
  return versions;
}

/** The folder's package.json; empty if it has none. */
export function packageOf(folder: string) {
  return orUndefined(() => JSON.parse(readText(join(folder, 'package.json')) ?? '')) ?? {};
}

/** Where the program of a server is; null if it is not here. */
export function programOf({ command: [program = ''], env, cwd }: PlannedServer): string | null {
  return Bun.which(program, { PATH: env.PATH ?? process.env.PATH ?? '', cwd });
}

/** Programs that print their version, by `--version`, whatever number is part of their name. */
const RUNTIME = /^(bun|node|deno|python|ruby|php|java)[\d.]*$/;

/** What a server runs on: by its suite's command, else by its program or what the program's script names. Null if nothing tells. */
export function runtimeOf(server: PlannedServer) {
  if (server.versions) return printedBy(server.versions, server)[0] ?? null;
  const path = programOf(server);
  if (path === null) return null;
  const start = Bun.spawnSync(['head', '-c', '200', path]).stdout.toString();
  const words = /^#!(.*)/.exec(start)?.[1]?.split(/\s+/) ?? [];
  const runtime = [path, ...words].find((word) => RUNTIME.test(basename(word)));
  const [printed] = runtime === undefined ? [] : printedBy([runtime, '--version'], server);
  return printed
    ? { name: basename(String(runtime)).replace(/[\d.]+$/, ''), version: printed.version }
    : null;
}

/** Each line with a name and a version: `Python 3.11.2`, `flask==3.0`, `go version go1.22.1 linux/amd64`. */
function printedBy(command: readonly string[], { cwd, env }: Pick<PlannedServer, 'cwd' | 'env'>) {
  const options = {
    cwd,
    env: { ...process.env, ...env },
    stdin: 'ignore',
    timeout: 10_000,
  } as const;
  const run = orUndefined(() => Bun.spawnSync([...command], options));
  const lines = run?.stdout.toString().split('\n') ?? [];
  return lines.flatMap((line) => {
    const [, name = '', version] =
      /^\s*([a-z@][^\s=]*(?=[\s=]))?.*?(\d+\.\d+[\w.+-]*)/i.exec(line) ?? [];
    return version === undefined ? [] : [{ name: name.toLowerCase(), version }];
  });
}
