import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse } from 'shell-quote';
import { z } from 'zod';
import { orProblem } from '../../words/errors.ts';
import { namesIn } from '../../words/files.ts';
import { quoteCommand } from '../../words/text.ts';

/** How a project starts its server: a command, its variables, and what is run before. */
export interface Start {
  prepare: string[][];
  env: Record<string, string>;
  command: string[];
}

const manifest = z.object({
  name: z.string().nullish(),
  scripts: z.record(z.string(), z.string()).nullish(),
  // Bundlers read other things than a path from them.
  main: z.unknown().optional(),
  module: z.unknown().optional(),
});

/** Scripts that start a server, first those for production. */
const SCRIPTS = ['start:prod', 'start:production', 'start', 'serve', 'server'];

/**
 * What package.json says: a name, the script that starts the server, and how that does so; no `start` if it takes a shell,
 * or if nothing says. @throws Problem if it can't be read
 */
export async function projectIn(
  folder: string,
): Promise<{ name?: string; said?: string; start?: Start | undefined }> {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return {};
  const read = async () => manifest.parse(await Bun.file(file).json());
  const content = await orProblem(
    read,
    "package.json can't be read",
    'Fix it, then run init again',
  );
  const name = content.name?.replace(/^@[^/]*\//, '') ?? '';
  const scripts = content.scripts ?? {};
  const isBun = namesIn(folder).some((each) => /^bun(\.lockb?|fig\.toml)$/.test(each));
  const isThere = (path: unknown) => typeof path === 'string' && existsSync(join(folder, path));
  const main = [content.main, content.module].find(isThere) as string | undefined;
  const script =
    SCRIPTS.find((each) => scripts[each] !== undefined) ?? (main === undefined ? 'dev' : '');
  const line = scripts[script] ?? (main && `${isBun ? 'bun' : 'node'} ${quoteCommand([main])}`);
  if (line === undefined) return { name };
  const before = ['build', `pre${script}`].filter((each) => scripts[each] !== undefined);
  const start = startedBy(folder, scripts, line);
  const all = [
    ...before.map((each) => [isBun ? 'bun' : 'npm', 'run', each]),
    ...(start?.prepare ?? []),
  ];
  const prepare = [...new Map(all.map((command) => [command.join(' '), command])).values()];
  return {
    name,
    said: `package.json has "${script}": "${line}"`,
    start: start && { ...start, prepare },
  };
}

/** tracetax sets these itself. */
const OURS = /^(PORT|HOST|NODE_ENV)$/;
/** What a script may name of them. */
const PLACEHOLDERS: Record<string, string> = { PORT: '{port}', HOST: '{host}' };
/** What starts a server again when a file changes, or lets a debugger in. */
const WATCHING = /^(watch|-w|--(watch|hot|inspect|debug)\b.*)$/;
/** Steps that only a shell takes; variables before a server are no step of their own. */
const OF_SHELL = /^(cd|export|set|source|\.|:)$/;
/** What starts one server as it runs in production. Anything else is asked for. */
const SERVES =
  /^(node(?! --run\b)|bun(?=.*\.[mc]?[jt]sx?\b)|deno (run|serve)|tsx|ts-node|next start|fastify start|remix-serve|react-router-serve)( |$)/;

/** What a line of a shell starts, after what it runs before by `&&`, itself or by another script; undefined if it takes more. */
function startedBy(
  folder: string,
  scripts: Record<string, string>,
  line: string,
): Start | undefined {
  const steps = line
    .replace(/^nest start$/, 'nest build && node dist/main')
    .split(' && ')
    .map(wordsOf);
  if (!steps.every((words) => words !== undefined)) return undefined;
  const last = steps.pop() ?? [];
  if (
    [...steps, last].some(([first = '']) => OF_SHELL.test(first)) ||
    steps.some(([first = '']) => first.includes('='))
  )
    return undefined;
  const [, , name = ''] = /^(npm|pnpm|yarn|bun) run (\S+)$/.exec(last.join(' ')) ?? [];
  const { [name]: called, ...others } = scripts;
  const start = called === undefined ? serverBy(folder, last) : startedBy(folder, others, called);
  return (
    start && {
      ...start,
      prepare: [...steps.map((words) => located(folder, words)), ...start.prepare],
    }
  );
}

/** Undefined if only a shell understands them. */
function wordsOf(line: string): string[] | undefined {
  const ofPort = line.replace(/(?<= (-p|--port)[ =])\d+\b/g, '{port}');
  const words = parse(ofPort, (name) => PLACEHOLDERS[name.replace(/:.*/, '')] ?? { op: name });
  return words.every((word) => typeof word === 'string' && !word.includes('`'))
    ? (words as string[])
    : undefined;
}

function serverBy(folder: string, words: string[]): Start | undefined {
  // With `run`, Bun loads nothing before a file but what bunfig.toml says: the probe of tracetax neither.
  const plain = words.filter(
    (word, at) => !WATCHING.test(word) && !(word === 'run' && words[at - 1] === 'bun'),
  );
  const first = plain.findIndex((word) => !/^(\w+=.*|cross-env|npx|bunx)$/s.test(word));
  const command = plain.slice(first);
  if (!SERVES.test(command.join(' '))) return undefined;
  const variables = plain.slice(0, first).map((word) => word.split(/=(.*)/s));
  const env = Object.fromEntries(
    variables.filter(([name = '', value]) => value !== undefined && !OURS.test(name)),
  );
  return { prepare: [], env, command: located(folder, command) };
}

/** A program of the project's packages, which may lie in a folder above it, by its path. */
function located(folder: string, [program = '', ...args]: string[]): string[] {
  const above = folder
    .split('/')
    .map((_, up) => join(folder, '../'.repeat(up), 'node_modules/.bin', program));
  const file = /^(node|bun|deno)$/.test(program)
    ? undefined
    : above.find((path) => existsSync(path));
  return [file ? `./${relative(folder, file)}` : program, ...args];
}
