import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse } from 'shell-quote';
import { ifThere, readText } from '../../machine/read.ts';

/** How a project starts its server: a command, its variables, and what is run before. */
export interface Start {
  prepare: string[][];
  env: Record<string, string>;
  command: string[];
}

/** What its package.json says. */
export interface Project {
  folder: string;
  manager: string;
  name: string;
  scripts: Record<string, string>;
  dependencies: string[];
  mains: string[];
}

const MANAGERS = { 'bun.lock': 'bun', 'bun.lockb': 'bun', 'pnpm-lock.yaml': 'pnpm', 'yarn.lock': 'yarn' };
const MAINS = ['server', 'index', 'app', 'main', 'src/index', 'src/server', 'src/main', 'src/app'];
/** tracetax sets these itself. */
const OURS = /^(PORT|HOST|HOSTNAME|NODE_ENV)$/;
/** What starts a server again when a file changes, or lets a debugger in. */
const WATCHING = /^(watch|-w|--(watch|hot|respawn|inspect|debug)\b.*)$/;
const WATCHERS: Record<string, string> = { nodemon: 'node', 'ts-node-dev': 'ts-node' };
/** What starts several programs, sends them into the background, or serves for development alone. */
const UNFIT =
  /^(npm|pnpm|yarn|vite|pm2|forever|docker.*|concurrently|run-[sp]|npm-run-all2?|turbo|nx|wrangler|((next|nuxt|astro) dev.*))$/;

/** The project in the folder; undefined without a package.json. */
export function projectIn(folder: string): Project | undefined {
  const json = ifThere(() => JSON.parse(readText(join(folder, 'package.json')) ?? ''));
  if (typeof json !== 'object' || json === null) return undefined;
  const { name = '', scripts = {}, dependencies, devDependencies, main, module } = json;
  const [, manager = 'npm'] = Object.entries(MANAGERS).find(([lock]) => existsSync(join(folder, lock))) ?? [];
  const mains = [main, module, ...MAINS.flatMap((file) => [`${file}.js`, `${file}.mjs`, `${file}.ts`])];
  const all = Object.keys({ ...dependencies, ...devDependencies });
  return { folder, manager, name, scripts, dependencies: all, mains: mains.filter((file) => typeof file === 'string') };
}

/** How its scripts start it in production, or its main file does; undefined if it takes a shell, or nothing says. */
export function startOf(project: Project): Start | undefined {
  const { scripts, manager } = project;
  const names = [...(scripts.build ? ['start:prod'] : []), 'start', 'start:prod', 'serve', 'dev'];
  const chosen = names.find((name) => scripts[name] !== undefined);
  const found = chosen === undefined ? stepsOf(project, mainLine(project)) : script(project, chosen);
  if (!found) return undefined;
  const { before, env, command } = found;
  const steps = [...(scripts.build && !before.flat().includes('build') ? [[manager, 'run', 'build']] : []), ...before];
  return { prepare: steps, env, command };
}

type Steps = Omit<Start, 'prepare'> & { before: string[][] };

function script(project: Project, name: string): Steps | undefined {
  const { [name]: line = '', ...others } = project.scripts;
  const found = stepsOf({ ...project, scripts: others }, line);
  const pre = `pre${name}`;
  return found && { ...found, before: [...(others[pre] ? [[project.manager, 'run', pre]] : []), ...found.before] };
}

/** What a line of a shell starts last, and what it does before. */
function stepsOf(project: Project, line: string): Steps | undefined {
  const ours = (_: string, one: string, other: string) => `{${(one ?? other).toLowerCase()}}`;
  const words = parse(line.replace(/\$(?:\{(PORT|HOST)\b[^}]*\}|(PORT|HOST)\b)/g, ours), (op) => ({ op }));
  const parts: string[][] = [[]];
  for (const word of words)
    if (typeof word === 'string' && !word.includes('`')) parts.at(-1)?.push(word);
    else if (typeof word === 'object' && 'op' in word && word.op === '&&') parts.push([]);
    else return undefined;
  const { env, words: server } = assigned(parts.pop() ?? []);
  const before = parts.map((part) => located(project, part));
  const [program = '', ...args] = server;
  const called = args.find((word) => word !== 'run' && !word.startsWith('-')) ?? '';
  if (/^(npm|pnpm|yarn|bun)$/.test(program) && project.scripts[called] !== undefined) {
    const inner = script(project, called);
    return inner && { ...inner, before: [...before, ...inner.before], env: { ...env, ...inner.env } };
  }
  if (program === '' || UNFIT.test(program) || UNFIT.test(`${program} ${args[0]}`)) return undefined;
  if (program === 'nest')
    return { before: [...before, located(project, ['nest', 'build'])], env, command: ['node', 'dist/main'] };
  const kept = [WATCHERS[program] ?? program, ...args.filter((word) => !WATCHING.test(word))];
  return { before, env, command: located(project, kept.map(withPort)) };
}

/** Of `NAME=x cross-env OTHER=y node z`. */
function assigned(words: string[]): { env: Record<string, string>; words: string[] } {
  const first = words.findIndex((word) => !/^(\w+=.*|cross-env|env|exec|npx|bunx|-y|--yes)$/s.test(word));
  const pairs = words.slice(0, Math.max(0, first)).filter((word) => word.includes('='));
  const named = pairs.map((pair) => [pair.split('=', 1)[0] ?? '', pair.slice(pair.indexOf('=') + 1)] as const);
  return { env: Object.fromEntries(named.filter(([name]) => !OURS.test(name))), words: words.slice(first) };
}

/** A port that a script names gives way to that of tracetax. */
const withPort = (word: string, index: number, words: string[]) =>
  /^(-p|--port)$/.test(words[index - 1] ?? '') ? '{port}' : word.replace(/^--port=\d+$/, '--port={port}');

/** A program of the project's packages, which may lie in a folder above it, by its path. */
function located({ folder }: Project, [program = '', ...args]: string[]): string[] {
  const above = folder.split('/').map((_, up) => join(folder, '../'.repeat(up), 'node_modules/.bin', program));
  const file = /^(node|bun)$/.test(program) ? undefined : above.find((path) => existsSync(path));
  return [file ? `./${relative(folder, file)}` : program, ...args];
}

function mainLine({ folder, manager, mains, dependencies }: Project): string {
  const file = mains.find((file) => existsSync(join(folder, file))) ?? '';
  const runners = manager === 'bun' ? ['bun'] : ['tsx', 'ts-node'].filter((name) => dependencies.includes(name));
  const runner = /ts$/.test(file) || manager === 'bun' ? runners[0] : 'node';
  return file && runner ? `${runner} ${file}` : '';
}
