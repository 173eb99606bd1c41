import { basename } from 'node:path';
import type { PlannedServer } from '../plan/planned-server.ts';
import { orUndefined } from '../words/errors.ts';

/** What servers run on. */
interface Runtime {
  /** What results call it. */
  name: string;
  /** Its program, which may end with a version in names such as `python3.11`. */
  program: string;
  /** What makes it print its version. */
  versionArgument: '--version' | 'version';
}

/**
 * To add a runtime, add an entry: results then name its version, and `doctor` finds it. Whether
 * `init` also knows how a project starts a server on it, `harness/commands/init/start-command.ts`
 * says.
 */
const RUNTIMES: readonly Runtime[] = [
  { name: 'bun', program: 'bun', versionArgument: '--version' },
  { name: 'node', program: 'node', versionArgument: '--version' },
  { name: 'deno', program: 'deno', versionArgument: '--version' },
  { name: 'python', program: 'python3', versionArgument: '--version' },
  { name: 'go', program: 'go', versionArgument: 'version' },
  { name: 'ruby', program: 'ruby', versionArgument: '--version' },
  { name: 'php', program: 'php', versionArgument: '--version' },
  { name: 'java', program: 'java', versionArgument: '--version' },
];

const PRINT_VERSION_WITHIN_MS = 10_000;
/** So much of a program is read for the line that names its interpreter. */
const FIRST_LINE_BYTES = 200;

/** A runtime or another program, and its version as it was printed. */
export interface NamedVersion {
  name: string;
  version: string;
}

type Surroundings = Pick<PlannedServer, 'cwd' | 'env'>;

/**
 * Returns what a server runs on: by its suite's command, else by its program, or by what the
 * program's script names. Null if nothing tells.
 */
export function runtimeOf(server: PlannedServer): NamedVersion | null {
  if (server.versions) return printedVersions(server.versions, server)[0] ?? null;
  const path = programOf(server);
  if (path === null) return null;
  for (const program of [path, ...interpreterOf(path)]) {
    const runtime = RUNTIMES.find((each) => isProgramOf(each, program));
    if (!runtime) continue;
    const [printed] = printedVersions([program, runtime.versionArgument], server);
    return printed ? { name: runtime.name, version: printed.version } : null;
  }
  return null;
}

/** Returns where the program of a server is; null if it is not here. */
export function programOf({ command: [program = ''], env, cwd }: PlannedServer): string | null {
  return Bun.which(program, { PATH: env.PATH ?? process.env.PATH ?? '', cwd });
}

/** Returns each runtime that is on this machine, by its program, in the order of the list. */
export function installedRuntimes(): NamedVersion[] {
  return RUNTIMES.flatMap(({ program, versionArgument }) => {
    const [printed] = printedVersions([program, versionArgument], { cwd: '.', env: {} });
    return printed ? [{ name: program, version: printed.version }] : [];
  });
}

/**
 * Returns every name and version that a command prints: `Python 3.11.2`, `flask==3.0`, `go version
 * go1.22.1 linux/amd64`.
 */
export function printedVersions(
  command: readonly string[],
  { cwd, env }: Surroundings,
): NamedVersion[] {
  const run = orUndefined(() =>
    Bun.spawnSync([...command], {
      cwd,
      env: { ...process.env, ...env },
      stdin: 'ignore',
      timeout: PRINT_VERSION_WITHIN_MS,
    }),
  );
  const lines = run?.stdout.toString().split('\n') ?? [];
  return lines.flatMap((line) => parseVersion(line) ?? []);
}

/**
 * Returns the first word of a line, in small letters, and the first version; undefined if it has no
 * version.
 */
function parseVersion(line: string): NamedVersion | undefined {
  const pattern = /^\s*([a-z@][^\s=]*(?=[\s=]))?.*?(\d+\.\d+[\w.+-]*)/i;
  const [, name = '', version] = pattern.exec(line) ?? [];
  return version === undefined ? undefined : { name: name.toLowerCase(), version };
}

/**
 * Whether a program is that of a runtime, in any version, as `/usr/bin/python3.11` of `python3`.
 */
function isProgramOf(runtime: Runtime, program: string): boolean {
  return withoutVersion(basename(program)) === withoutVersion(runtime.program);
}

function withoutVersion(program: string): string {
  return program.replace(/[\d.]*$/, '');
}

/**
 * Returns the words of a script's first line that name its interpreter; none if it is no script.
 */
function interpreterOf(path: string): string[] {
  const start = Bun.spawnSync(['head', '-c', String(FIRST_LINE_BYTES), path]).stdout.toString();
  return /^#!(.*)/.exec(start)?.[1]?.split(/\s+/) ?? [];
}
