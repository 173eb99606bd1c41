import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse, quote } from 'shell-quote';
import { ELSEWHERE, isUnfit, OURS, OWN, OWN_WITH_VALUE, REWRITTEN, WATCHERS, WATCHING, WRAPPERS } from './programs.ts';
import type { Project } from './project.ts';
import { sourceOf } from './source.ts';

/** How a project starts its server: a command, its variables, and what is run before. */
export interface Start {
  prepare: string[][];
  env: Record<string, string>;
  command: string[];
}

/** Scripts that start a server, first those for production. */
const SCRIPTS = ['start:prod', 'start:production', 'start', 'serve', 'server'];
const MAINS = ['server', 'index', 'app', 'main', 'src/index', 'src/server', 'src/main', 'src/app'].flatMap((file) =>
  ['.js', '.mjs', '.cjs', '.ts'].map((end) => file + end),
);
/** The script that starts it; undefined if none does. */
export const scriptOf = ({ scripts }: Project, names = [...SCRIPTS, 'dev']): string | undefined =>
  names.find((name) => scripts[name] !== undefined);

/** How its scripts start it in production, or its main file does; undefined if it takes a shell, or nothing says. */
export function startOf(project: Project): Start | undefined {
  const { scripts, manager, folder } = project;
  const main = project.mains.find((file) => (scripts.build ? sourceOf : existing)(folder, file));
  const chosen = scriptOf(project, SCRIPTS) ?? (main ? undefined : scriptOf(project));
  const file = main ?? MAINS.find((each) => existing(folder, each));
  const found = chosen === undefined ? stepsOf(project, mainLine(project, file)) : script(project, chosen);
  if (!found) return undefined;
  const { before, env, command } = found;
  const steps = [...(scripts.build && !before.flat().includes('build') ? [[manager, 'run', 'build']] : []), ...before];
  return { prepare: steps, env, command };
}

type Steps = Omit<Start, 'prepare'> & { before: string[][] };

const existing = (folder: string, file: string) => existsSync(join(folder, file));

function mainLine({ manager, dependencies }: Project, file = ''): string {
  const runners = manager === 'bun' ? ['bun'] : ['tsx', 'ts-node'].filter((name) => dependencies.includes(name));
  const runner = /ts$/.test(file) || manager === 'bun' ? runners[0] : 'node';
  return file && runner ? `${runner} ${quote([file])}` : '';
}

function script(project: Project, name: string): Steps | undefined {
  const { [name]: line = '', ...others } = project.scripts;
  const found = stepsOf({ ...project, scripts: others }, line);
  const pre = `pre${name}`;
  return found && { ...found, before: [...(others[pre] ? [[project.manager, 'run', pre]] : []), ...found.before] };
}

/** What a line of a shell starts last, and what it does before. */
function stepsOf(project: Project, line: string): Steps | undefined {
  const rewritten = REWRITTEN.reduce((text, [from, to]) => text.replace(from, to), line);
  const parts: string[][] = [[]];
  for (const word of parse(rewritten, (op) => ({ op })))
    if (typeof word === 'string' && !word.includes('`')) parts.at(-1)?.push(word);
    else if (typeof word === 'object' && 'op' in word && /^(&&|;)$/.test(word.op)) parts.push([]);
    else return undefined;
  const sets = (part: string[]) => /^(export|set)$/.test(part[0] ?? '');
  const { env, words } = assigned([...parts.filter(sets).flatMap((part) => part.slice(1)), ...(parts.pop() ?? [])]);
  const before = parts.filter((part) => !sets(part)).map((part) => preparing(project, part));
  if (before.some(([program]) => /^(cd|source|\.)$/.test(program ?? ''))) return undefined;
  const found = startedBy(project, words);
  return found && { ...found, before: [...before, ...found.before], env: { ...env, ...found.env } };
}

/** What these words start, be it through a script. */
function startedBy(project: Project, words: string[]): Steps | undefined {
  const [program = '', ...args] = words;
  const line = passedOn(project, program, args);
  if (line !== undefined) return stepsOf(project, line);
  const { called, rest } = calledBy(args);
  if (MANAGERS.test(program) && args.some((word) => ELSEWHERE.test(word))) return undefined;
  if (MANAGERS.test(program) && project.scripts[called] !== undefined) {
    const inner = script(project, called);
    return inner && { ...inner, command: [...inner.command, ...rest.filter((word) => word !== '--')] };
  }
  const inner = words.indexOf('--') + 1;
  if (WRAPPERS.test(program) && inner > 0) {
    const found = stepsOf(project, quote(words.slice(inner)));
    return found && { ...found, command: [...located(project, words.slice(0, inner)), ...found.command] };
  }
  if (program === 'nest' && args.filter((word) => !word.startsWith('-')).join() === 'start')
    return { before: [located(project, ['nest', 'build'])], env: {}, command: ['node', 'dist/main'] };
  const kept = words.filter((word) => !WATCHING.test(word));
  return isUnfit(kept) ? undefined : { before: [], env: {}, command: located(project, kept) };
}

const MANAGERS = /^(npm|pnpm|yarn|bun)$/;

/** What a program that is given another one or scripts runs in its place, as a line; undefined for all others. */
function passedOn(project: Project, program: string, args: string[]): string | undefined {
  const { called, rest } = calledBy(args);
  if (/^(npm|pnpm|yarn)$/.test(program) && /^(node|tsx|ts-node|next|nest|fastify)$/.test(called))
    return project.scripts[called] === undefined ? quote([called, ...rest]) : undefined;
  const names = args.filter((word) => !/^(-s|--serial|--sequential)$/.test(word));
  if (/^(run-s|npm-run-all2?)$/.test(program) && names.every((name) => project.scripts[name] !== undefined))
    return names.map((name) => `${project.manager} run ${name}`).join(' && ');
  const [alone, watch] = [WATCHERS[program], WATCHERS[`${program} ${args[0]}`]];
  return alone ? watched(alone, args) : watch && watched(watch, args.slice(1));
}

/** The script or program that a package manager is told to run, and what it is given. */
function calledBy(args: string[]) {
  const [called = '', ...rest] = args.slice(args.findIndex((word) => !/^(run|run-script|exec|-.*)$/.test(word)));
  return { called, rest };
}

/** The line that a program runs which starts it again when a file changes. */
function watched(runner: string, args: string[]): string {
  const own = args.filter((word, index) => ![word, args[index - 1] ?? ''].some((each) => OWN_WITH_VALUE.test(each)));
  const rest = own.filter((word) => !OWN.test(word));
  const exec = args.findIndex((word) => /^(-x|--exec)$/.test(word)) + 1;
  const byFile = runner === 'node' && rest.some((word) => /\.[mc]?ts$/.test(word)) ? 'ts-node' : runner;
  return `${exec > 0 ? args[exec] : byFile} ${quote(rest)}`;
}

/** Of `NAME=x cross-env OTHER=y node z`. */
function assigned(words: string[]): { env: Record<string, string>; words: string[] } {
  const first = words.findIndex((word) => !/^(\w+=.*|cross-env|env|exec|npx|bunx|-y|--yes)$/s.test(word));
  const pairs = words.slice(0, Math.max(0, first)).filter((word) => word.includes('='));
  const named = pairs.map((pair) => [pair.split('=', 1)[0] ?? '', pair.slice(pair.indexOf('=') + 1)] as const);
  return { env: Object.fromEntries(named.filter(([name]) => !OURS.test(name))), words: words.slice(first) };
}

/** What is run before, without a shell, so that `env` must set its variables. */
function preparing(project: Project, part: string[]): string[] {
  const first = part.findIndex((word) => !/^\w+=/.test(word));
  return first > 0 ? ['env', ...part.slice(0, first), ...located(project, part.slice(first))] : located(project, part);
}

/** A program of the project's packages, which may lie in a folder above it, by its path. */
function located({ folder }: Project, [program = '', ...args]: string[]): string[] {
  const above = folder.split('/').map((_, up) => join(folder, '../'.repeat(up), 'node_modules/.bin', program));
  const file = /^(node|bun)$/.test(program) ? undefined : above.find((path) => existsSync(path));
  return [file ? `./${relative(folder, file)}` : program, ...args];
}
