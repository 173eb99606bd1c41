import { existsSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { parse } from 'shell-quote';
import { z } from 'zod';
import { orProblem } from '../../words/errors.ts';
import { namesIn } from '../../words/files.ts';
import { PLAINLY } from '../../words/issues.ts';
import { quoteCommand } from '../../words/text.ts';

/** How a project starts its server. */
export interface StartCommand {
  /** Commands that are run before, such as a build. */
  prepare: string[][];
  /** Without the variables that tracetax sets itself. */
  env: Record<string, string>;
  /** The program and its arguments. */
  command: string[];
}

/** What package.json says of a project. */
export interface Project {
  /** Without the scope; undefined without a package.json, empty without a name. */
  name?: string;
  /** What package.json says of the start, in words; undefined if it says nothing. */
  said?: string;
  /** Undefined if it takes a shell, or if nothing says how. */
  start?: StartCommand | undefined;
}

const manifestSchema = z.object({
  name: z.string().nullish(),
  scripts: z.record(z.string(), z.string()).nullish(),
  // Bundlers read other things than a path from these two.
  main: z.unknown().optional(),
  module: z.unknown().optional(),
});
type Manifest = z.output<typeof manifestSchema>;
type Scripts = Record<string, string>;

/** Scripts that start a server, first those for production. */
const START_SCRIPTS = ['start:prod', 'start:production', 'start', 'serve', 'server'];
/** This one serves if there is neither such a script nor a main file. */
const DEVELOPMENT_SCRIPT = 'dev';
const BUN_FILE = /^bun(\.lockb?|fig\.toml)$/;

/** tracetax sets these variables itself. */
const OWN_VARIABLE = /^(PORT|HOST|NODE_ENV)$/;
/** A script may name two of them. */
const PLACEHOLDERS: Record<string, string> = { PORT: '{port}', HOST: '{host}' };
const PORT_ARGUMENT = /(?<= (-p|--port)[ =])\d+\b/g;
/** Arguments that start a server again when a file changes, or that let a debugger in. */
const WATCHING_ARGUMENT = /^--(watch|hot|inspect|debug)\b/;
/** Steps that only a shell takes. */
const SHELL_BUILTIN = /^(cd|export|set|source|\.|:)$/;
/** Words that may stand before the program that serves. */
const PREFIX = /^(\w+=.*|cross-env|npx|bunx)$/s;
/** Commands that start one server as it runs in production. Any other is to be filled in. */
const SERVER_COMMANDS = [
  // Not another script.
  /node(?! --run\b)/,
  // A file, and not a script.
  /bun(?=.*\.[mc]?[jt]sx?\b)/,
  /deno (run|serve)/,
  /tsx/,
  /ts-node/,
  /next start/,
  /fastify start/,
  /remix-serve/,
  /react-router-serve/,
].map(({ source }) => new RegExp(`^${source}( |$)`));
/** These are found by the system, not in the project's packages. */
const RUNTIME = /^(node|bun|deno)$/;

/** Reads the package.json of the project in the folder. @throws Problem if it can't be read */
export async function projectIn(folder: string): Promise<Project> {
  const manifest = await readManifest(folder);
  if (!manifest) return {};
  const name = manifest.name?.replace(/^@[^/]*\//, '') ?? '';
  const scripts = manifest.scripts ?? {};
  const usesBun = namesIn(folder).some((each) => BUN_FILE.test(each));
  const found = startScriptOf(folder, manifest, usesBun);
  if (!found) return { name };
  const { script, line } = found;
  const before = ['build', `pre${script}`].filter((each) => scripts[each] !== undefined);
  const start = parseLine(folder, scripts, line);
  const prepare = [
    ...before.map((each) => [usesBun ? 'bun' : 'npm', 'run', each]),
    ...(start?.prepare ?? []),
  ];
  return {
    name,
    said: `package.json has "${script}": "${line}"`,
    start: start && { ...start, prepare: withoutRepeats(prepare) },
  };
}

async function readManifest(folder: string): Promise<Manifest | undefined> {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return undefined;
  const read = async () => manifestSchema.parse(await Bun.file(file).json(), PLAINLY);
  return orProblem(read, "package.json can't be read", 'Correct its JSON, then run init again');
}

/** A script of package.json, and what it runs; the name is empty for what starts the main file. */
interface StartScript {
  script: string;
  line: string;
}

function startScriptOf(
  folder: string,
  manifest: Manifest,
  usesBun: boolean,
): StartScript | undefined {
  const scripts = manifest.scripts ?? {};
  const script = START_SCRIPTS.find((each) => scripts[each] !== undefined);
  if (script !== undefined) return { script, line: scripts[script] ?? '' };
  const main = [manifest.main, manifest.module].find(
    (path): path is string => typeof path === 'string' && existsSync(join(folder, path)),
  );
  if (main !== undefined)
    return { script: '', line: quoteCommand([usesBun ? 'bun' : 'node', main]) };
  const line = scripts[DEVELOPMENT_SCRIPT];
  return line === undefined ? undefined : { script: DEVELOPMENT_SCRIPT, line };
}

function withoutRepeats(commands: string[][]): string[][] {
  return [...new Map(commands.map((command) => [command.join(' '), command])).values()];
}

/**
 * Returns what a line of a shell starts, after what it runs before by `&&`, itself or by another
 * script. Returns undefined if the line takes a shell, or starts something else than a server.
 */
function parseLine(folder: string, scripts: Scripts, line: string): StartCommand | undefined {
  const commands = line.split(' && ').map(wordsOf);
  if (!commands.every((words) => words !== undefined)) return undefined;
  const last = commands.at(-1) ?? [];
  const steps = commands.slice(0, -1);
  const needsShell =
    commands.some(([first = '']) => SHELL_BUILTIN.test(first)) ||
    steps.some(([first = '']) => first.includes('='));
  if (needsShell) return undefined;
  const start = startOfLastStep(folder, scripts, last);
  if (!start) return undefined;
  const prepare = steps.map((words) => withLocalProgram(folder, words));
  return { ...start, prepare: [...prepare, ...start.prepare] };
}

/** The last step is the server, or another script that starts it. No script calls itself. */
function startOfLastStep(
  folder: string,
  scripts: Scripts,
  words: string[],
): StartCommand | undefined {
  const [, , name = ''] = /^(npm|pnpm|yarn|bun) run (\S+)$/.exec(words.join(' ')) ?? [];
  const { [name]: line, ...otherScripts } = scripts;
  return line === undefined
    ? parseServerCommand(folder, words)
    : parseLine(folder, otherScripts, line);
}

/** Splits a command as a shell does. Returns undefined if only a shell understands it. */
function wordsOf(command: string): string[] | undefined {
  const withPort = command.replace(PORT_ARGUMENT, '{port}');
  // What shell-quote returns as an object is for a shell: an operator, a pattern, or another
  // variable.
  const words = parse(
    withPort,
    (variable) => PLACEHOLDERS[variable.replace(/:.*/, '')] ?? { op: variable },
  );
  const isPlain = (word: (typeof words)[number]): word is string =>
    typeof word === 'string' && !word.includes('`');
  return words.every(isPlain) ? words : undefined;
}

function parseServerCommand(folder: string, words: string[]): StartCommand | undefined {
  // By `bun run`, Bun loads nothing before a file but what bunfig.toml says: not the probe either.
  const kept = words.filter((word, index) => {
    const isBunRun = word === 'run' && words[index - 1] === 'bun';
    return !isWatchingArgument(word, words.slice(0, index)) && !isBunRun;
  });
  const programIndex = kept.findIndex((word) => !PREFIX.test(word));
  const command = kept.slice(programIndex);
  const line = command.join(' ');
  if (!SERVER_COMMANDS.some((pattern) => pattern.test(line))) return undefined;
  return {
    prepare: [],
    env: variablesIn(kept.slice(0, programIndex)),
    command: withLocalProgram(folder, command),
  };
}

/** Short ones watch after some programs only: after others, they may mean anything. */
function isWatchingArgument(word: string, before: readonly string[]): boolean {
  const programs = before.map((each) => basename(each));
  if (word === 'watch') return programs.at(-1) === 'tsx';
  if (word === '-w') return programs.includes('fastify');
  return WATCHING_ARGUMENT.test(word);
}

function variablesIn(prefixes: string[]): Record<string, string> {
  const entries = prefixes.map((word) => word.split(/=(.*)/s));
  return Object.fromEntries(
    entries.filter(([name = '', value]) => value !== undefined && !OWN_VARIABLE.test(name)),
  );
}

/** Names a program of the project's packages, which may lie in a folder above it, by its path. */
function withLocalProgram(folder: string, [program = '', ...args]: string[]): string[] {
  if (RUNTIME.test(program)) return [program, ...args];
  const paths = folder
    .split('/')
    .map((_, levels) => join(folder, '../'.repeat(levels), 'node_modules/.bin', program));
  const file = paths.find((path) => existsSync(path));
  return [file ? `./${relative(folder, file)}` : program, ...args];
}
