import { basename, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { PlannedServer } from '../plan/planned-server.ts';
import type { Environment, Side } from '../result/schema.ts';
import { readText } from '../words/files.ts';
import { instruments } from './instrumenting-variables.ts';
import { filesThatPreload } from './preloading-files.ts';

/**
 * Files that Bun's servers, and others by a package, read in production. What the environment has
 * goes before them.
 */
const ENV_FILES = ['.env', '.env.production', '.env.local', '.env.production.local'];

/** Variables that tracetax sets itself, whatever files say. */
const SET_BY_TRACETAX = ['HOST', 'PORT', 'NODE_ENV', 'TMPDIR'];

/** What a server or service is started with. */
type Launch = Pick<PlannedServer, 'cwd' | 'env' | 'command'>;

type Variables = Record<string, string | undefined>;

/** What a server would have of the user's variables, and of those in files that it reads. */
export interface InheritedVariables {
  /** What it has in place of those that instrument; undefined for nothing. */
  changed: Record<string, '' | undefined>;
  /** Names of those that files alone supply. */
  supplied: string[];
}

/**
 * Returns what a server or service has in place of the user's variables: none that instruments, in
 * production mode, since development mode costs.
 */
export function environmentOf(launch: Launch, host: string, port: number | string): Variables {
  const own = { ...launch.env, HOST: host, PORT: String(port), NODE_ENV: 'production' };
  return { ...inheritedVariables({ ...launch, env: own }).changed, ...own };
}

/**
 * Returns which variables a server would inherit that instrument, and which files supply. Its own
 * stay as they are.
 */
export function inheritedVariables(
  { cwd, env, command }: Launch,
  userEnv: Variables = process.env,
): InheritedVariables {
  const fileEnv = variablesInFiles({ command, cwd });
  const all: Variables = { ...fileEnv, ...userEnv };
  const names = Object.keys(all).filter(
    (name) => !(name in env) && !SET_BY_TRACETAX.includes(name),
  );
  const removed = names.filter((name) => instruments(name, all[name] ?? '', cwd));
  return {
    // An empty value keeps a file from supplying its own.
    changed: Object.fromEntries(removed.map((name) => [name, name in fileEnv ? '' : undefined])),
    supplied: names.filter((name) => !(name in userEnv || removed.includes(name))),
  };
}

/** Returns the variables that a server or service reads from files. */
export function variablesInFiles({ command, cwd }: Pick<Launch, 'command' | 'cwd'>): Variables {
  const files = [...ENV_FILES, ...envFilesNamedBy(command)];
  const texts = files.map((file) => readText(resolve(cwd, file)) ?? '');
  return Object.assign({}, ...texts.map((text) => parseEnv(text)));
}

/**
 * Returns the files of variables that a command names: by an option of Node or Bun, or of the
 * package dotenv-cli.
 */
function envFilesNamedBy(command: readonly string[]): string[] {
  const isDotenv = command.some((word) => basename(word) === 'dotenv');
  return command.flatMap((word, index) => {
    const [option, , value] = /^--env-file(-if-exists)?(?:=(.*))?$/.exec(word) ?? [];
    const namesFile = option !== undefined || (isDotenv && word === '-e');
    return namesFile ? (value ?? command[index + 1] ?? []) : [];
  });
}

/**
 * Returns what was taken out of the environment of any server, what files supply, and what makes
 * baselines preload code.
 */
export function variablesOf(
  rows: readonly Record<Side, PlannedServer>[],
): Environment['variables'] {
  const inherited = rows
    .flatMap(({ baseline, scenario }) => [baseline, scenario])
    .map((server) => inheritedVariables(server));
  return {
    removed: sortedNames(inherited.flatMap(({ changed }) => Object.keys(changed))),
    supplied: sortedNames(inherited.flatMap(({ supplied }) => supplied)),
    preloading: sortedNames(rows.flatMap(({ baseline }) => filesThatPreload(baseline))),
  };
}

function sortedNames(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
