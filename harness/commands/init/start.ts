import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse, quote } from 'shell-quote';
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
const MAINS = ['server', 'index', 'app', 'main', 'src/index', 'src/server', 'src/main', 'src/app'].flatMap((file) => [
  ...[`${file}.js`, `${file}.mjs`, `${file}.ts`],
]);
/** tracetax sets these itself. */
const OURS = /^(PORT|HOST|HOSTNAME|NODE_ENV)$/;
/** What is written otherwise for the rest to understand it. An address that a script names gives way to ours. */
const REWRITTEN: [RegExp, string][] = [
  [/\$\{PORT\b[^}]*\}|\$PORT\b|%PORT%/g, '{port}'],
  [/\$\{HOST\b[^}]*\}|\$HOST\b/g, '{host}'],
  [/(?<= (-p|--port)[ =])\d+\b/g, '{port}'],
  [/(?<= (-H|--host|--hostname)[ =])(localhost|[\d.]+)(?= |$)/g, '{host}'],
  [/\bnode --run\b/g, 'npm run'],
  [/\bbunx --bun\b/g, 'bun --bun'],
];
/** What starts a server again when a file changes, or lets a debugger in. */
const WATCHING = /^(-w|--(watch|hot|inspect|debug)\b.*)$/;
const WATCHERS: Record<string, string> = {
  ...{ nodemon: 'node', 'node-dev': 'node', 'tsx watch': 'tsx', tsnd: 'ts-node', 'ts-node-dev': 'ts-node' },
};
/** Options of programs that watch, and those that a value follows. */
const OF_WATCHERS =
  /^(-[qLVIC]|--(respawn|exit-child|rs|poll|clear|cls|quiet|verbose|legacy-watch|(no-)?notify|(no-)?clear-screen)(=.*)?|--\w+=.*,.*)$/;
const WITH_VALUE = /^(-[weixd]|--(watch|ext|exec|ignore|ignore-watch|include|exclude|delay|config|debounce|interval))$/;
/** What starts several programs, sends them into the background, builds, or serves for development alone. */
const UNFIT =
  /^(npm|pnpm|yarn|pm2.*|forever|docker.*|concurrently|run-[sp]|npm-run-all2?|turbo|nx|lerna|make|cd|source|\.|wrangler|serverless|sls|sst|vite|react-scripts|ng|vue-cli-service|expo|electron|mix|tsc.*|tsup|webpack.*|rollup|esbuild|parcel|gulp|grunt|-.*|.* (dev|develop|vite:dev))$/;
/** Programs that start another one with variables of a file. */
const WRAPPERS = /^(dotenvx?|doppler|infisical)$/;
/** Options by which scripts of another folder are run. */
const ELSEWHERE = /^(-[wCF]|--(workspaces?|prefix|filter|cwd|dir)(=.*)?)$/;

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

/** What these words start, if they don't start another script. */
function startedBy(project: Project, words: string[]): Steps | undefined {
  const [program = '', ...args] = words;
  const isRunner = /^(npm|pnpm|yarn|bun)$/.test(program);
  if (isRunner && args.some((word) => ELSEWHERE.test(word))) return undefined;
  const [called = '', ...rest] = args.slice(args.findIndex((word) => !/^(run|run-script|exec|-.*)$/.test(word)));
  if (isRunner && project.scripts[called] !== undefined) {
    const inner = script(project, called);
    return inner && { ...inner, command: [...inner.command, ...rest.filter((word) => word !== '--')] };
  }
  if (isRunner && program !== 'bun' && /^(node|tsx|ts-node|next|nest|fastify)$/.test(called))
    return stepsOf(project, quote([called, ...rest]));
  const serial = args.filter((word) => !/^(-s|--serial|--sequential)$/.test(word));
  if (/^(run-s|npm-run-all2?)$/.test(program) && serial.every((name) => project.scripts[name] !== undefined))
    return stepsOf(project, serial.map((name) => `${project.manager} run ${name}`).join(' && '));
  const inner = args.indexOf('--') + 1;
  if (WRAPPERS.test(program) && inner > 0) {
    const found = stepsOf(project, quote(args.slice(inner)));
    return found && { ...found, command: [...located(project, words.slice(0, inner + 1)), ...found.command] };
  }
  const watcher = [program, `${program} ${args[0]}`].find((name) => WATCHERS[name]);
  if (watcher) return stepsOf(project, watched(WATCHERS[watcher] ?? '', words.slice(watcher.split(' ').length)));
  const isNest = program === 'nest' && args.filter((word) => !word.startsWith('-')).join() === 'start';
  if (isNest) return { before: [located(project, ['nest', 'build'])], env: {}, command: ['node', 'dist/main'] };
  if (program === '' || program === 'nest' || UNFIT.test(program) || UNFIT.test(`${program} ${args[0]}`))
    return undefined;
  const kept = words.filter((word) => !WATCHING.test(word));
  return kept.length > 1 || program !== 'node' ? { before: [], env: {}, command: located(project, kept) } : undefined;
}

/** The line that a program runs which starts it again when a file changes. */
function watched(runner: string, args: string[]): string {
  const own = args.filter((word, index) => ![word, args[index - 1] ?? ''].some((each) => WITH_VALUE.test(each)));
  const rest = own.filter((word) => !OF_WATCHERS.test(word));
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
