import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse, quote } from 'shell-quote';
import { type Project, sourceOf } from './project.ts';

/** How a project starts its server: a command, its variables, and what is run before. */
export interface Start {
  prepare: string[][];
  env: Record<string, string>;
  command: string[];
}

// What is known of the programs that scripts of package.json call.

/** tracetax sets these itself. */
const OURS = /^(PORT|HOST|NODE_ENV)$/;

/** What is written otherwise for the rest to understand it. An address that a script names gives way to ours. */
const REWRITTEN: [RegExp, string][] = [
  [/\$\{PORT\b[^}]*\}|\$PORT\b|%PORT%/g, '{port}'],
  [/\$\{HOST\b[^}]*\}|\$HOST\b/g, '{host}'],
  [/(?<= (-p|--port)[ =])\d+\b/g, '{port}'],
  [/(?<=\bHOSTNAME=)[\w.:]+/g, '{host}'],
  [/(?<= (-H|--host|--hostname)[ =])(localhost|[\d.]+)(?= |$)/g, '{host}'],
  [/\bnode --run\b/g, 'npm run'],
  [/\bbunx --bun\b/g, 'bun --bun'],
];

/** What starts a server again when a file changes, or lets a debugger in. */
const WATCHING = /^(watch|-w|--(watch|hot|inspect|debug)\b.*)$/;

/** Programs that start another one with variables of a file. */
const WRAPPERS = /^(dotenvx?|doppler|infisical)$/;
/** Whether a package manager is told to run the scripts of another folder. */
export const isElsewhere = (args: string[]): boolean =>
  args.some((word) => /^(-[wCF]|--(workspaces?|prefix|filter|cwd|dir)(=.*)?)$/.test(word));

/** What starts one server as it runs in production. Anything else is asked for. */
const SERVES =
  /^(node|bun|deno (run|serve)|tsx|ts-node|next|fastify|remix-serve|react-router-serve) (?!(vite:)?dev(elop)?( |$)|.*--(cwd|filter)\b)./;

/** Scripts that start a server, first those for production. */
const SCRIPTS = ['start:prod', 'start:production', 'start', 'serve', 'server'];
export const scriptOf = ({ scripts }: Project, names = [...SCRIPTS, 'dev']): string | undefined =>
  names.find((name) => scripts[name] !== undefined);

/** How its scripts start it in production, or its main file does; undefined if it takes a shell, or nothing says. */
export function startOf(project: Project): Start | undefined {
  const { scripts, manager, folder } = project;
  const main = project.mains.find((file) => (scripts.build ? sourceOf : existing)(folder, file));
  const chosen = scriptOf(project, SCRIPTS) ?? (main ? undefined : scriptOf(project));
  const found = startedBy(project, chosen ? `npm run ${chosen}` : mainLine(project, main));
  if (!found || !scripts.build || found.prepare.flat().includes('build')) return found;
  return { ...found, prepare: [[manager, 'run', 'build'], ...found.prepare] };
}

const existing = (folder: string, file: string) => existsSync(join(folder, file));

function mainLine({ manager, dependencies }: Project, file = ''): string {
  const runners = manager === 'bun' ? ['bun'] : ['tsx', 'ts-node'].filter((name) => dependencies.includes(name));
  const runner = /ts$/.test(file) || manager === 'bun' ? runners[0] : 'node';
  return file && runner ? `${runner} ${quote([file])}` : '';
}

/** What a line of a shell starts last, be it through scripts and other programs, and what it runs before. */
function startedBy(project: Project, line: string): Start | undefined {
  const parts = partsOf(line);
  if (!parts) return undefined;
  const sets = (part: string[]) => /^(export|set)$/.test(part[0] ?? '');
  const { env, words } = assigned([...parts.filter(sets).flatMap((part) => part.slice(1)), ...(parts.pop() ?? [])]);
  const prepare = parts.filter((part) => !sets(part)).map((part) => located(project, part));
  if (prepare.some(([program]) => /^(cd|source|\.|\w+=.*)$/.test(program ?? ''))) return undefined;
  const next = inPlaceOf(project, words);
  if (!next) {
    const kept = words.filter((word) => !WATCHING.test(word));
    // With `run`, Bun loads nothing before a file but what bunfig.toml says: the probe of tracetax neither.
    const command = /^bun run \S+\.[mc]?[jt]sx?\b/.test(kept.join(' ')) ? kept.toSpliced(1, 1) : kept;
    // Next's server takes its address from there.
    const host = command.some((word) => word.includes('.next/standalone/')) && { HOSTNAME: '{host}' };
    const start = { prepare, env: { ...env, ...host }, command: located(project, command) };
    return SERVES.test(command.join(' ')) ? start : undefined;
  }
  const { line: inner, wrapper = [], scripts = project.scripts } = next;
  const found = startedBy({ ...project, scripts }, inner);
  const command = [...wrapper, ...(found?.command ?? [])];
  return found && { prepare: [...prepare, ...found.prepare], env: { ...env, ...found.env }, command };
}

/** The commands of a line that run one after the other; undefined if that takes a shell. */
function partsOf(line: string): string[][] | undefined {
  const rewritten = REWRITTEN.reduce((text, [from, to]) => text.replace(from, to), line);
  const parts: string[][] = [[]];
  for (const word of parse(rewritten, (op) => ({ op })))
    if (typeof word === 'string' && !word.includes('`')) parts.at(-1)?.push(word);
    else if (typeof word === 'object' && 'op' in word && /^(&&|;)$/.test(word.op)) parts.push([]);
    else return undefined;
  return parts;
}

const MANAGERS = /^(npm|pnpm|yarn|bun)$/;

/**
 * What a program runs that is given a script or another program, as a line: after its wrapper, and with the scripts that
 * may come after it. Undefined for all other programs.
 */
function inPlaceOf(project: Project, words: string[]) {
  const [program = '', ...args] = words;
  const [called = '', ...rest] = args.slice(args.findIndex((word) => !/^(run|run-script|exec|-.*)$/.test(word)));
  const { manager, scripts } = project;
  if (MANAGERS.test(program) && scripts[called] !== undefined && !isElsewhere(args)) {
    const { [called]: script, [`pre${called}`]: pre, ...others } = scripts;
    const before = pre === undefined ? '' : `${manager} run pre${called} && `;
    return { line: `${before}${script} ${quote(rest.filter((word) => word !== '--'))}`, scripts: others };
  }
  if (/^(npm|pnpm|yarn)$/.test(program) && /^(node|tsx|ts-node|next|nest|fastify)$/.test(called))
    return { line: quote([called, ...rest]) };
  const names = args.filter((word) => !/^(-s|--serial|--sequential)$/.test(word));
  if (/^(run-s|npm-run-all2?)$/.test(program) && names.every((name) => scripts[name] !== undefined))
    return { line: names.map((name) => `${manager} run ${name}`).join(' && ') };
  const inner = words.indexOf('--') + 1;
  if (WRAPPERS.test(program) && inner > 0)
    return { line: quote(words.slice(inner)), wrapper: located(project, words.slice(0, inner)) };
  const isNest = program === 'nest' && args.filter((word) => !word.startsWith('-')).join() === 'start';
  return isNest ? { line: 'nest build && node dist/main' } : undefined;
}

/** Of `NAME=x cross-env OTHER=y node z`. */
function assigned(words: string[]): { env: Record<string, string>; words: string[] } {
  const first = words.findIndex((word) => !/^(\w+=.*|cross-env|env|exec|npx|bunx|-y|--yes)$/s.test(word));
  const pairs = words.slice(0, Math.max(0, first)).filter((word) => word.includes('='));
  const named = pairs.map((pair) => [pair.split('=', 1)[0] ?? '', pair.slice(pair.indexOf('=') + 1)] as const);
  return { env: Object.fromEntries(named.filter(([name]) => !OURS.test(name))), words: words.slice(first) };
}

/** A program of the project's packages, which may lie in a folder above it, by its path. */
function located({ folder }: Project, [program = '', ...args]: string[]): string[] {
  const above = folder.split('/').map((_, up) => join(folder, '../'.repeat(up), 'node_modules/.bin', program));
  const file = /^(node|bun)$/.test(program) ? undefined : above.find((path) => existsSync(path));
  return [file ? `./${relative(folder, file)}` : program, ...args];
}
