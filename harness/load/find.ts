import { resolve } from 'node:path';
import { orUndefined, Problem } from '../words/errors.ts';
import { INVOKED_AS } from '../words/output.ts';
import { bombardier } from './bombardier.ts';
import type { Host } from './host.ts';
import { TOOLS } from './list.ts';
import type { LoadTool, Need } from './tool.ts';

/** The folder in which tracetax is. */
export const ROOT = resolve(import.meta.dir, '../..');

const VERSION_TIMEOUT_MS = 10_000;

/** A load tool that is there, on this machine or on the load host, and is what its name says. */
export interface FoundTool {
  tool: LoadTool;
  /** Null if it is not installed: only a dry run goes on then. */
  version: string | null;
  path: string;
  /** Undefined for this machine. */
  host: Host | undefined;
  /** What sends at a steady rate in its place; left out if it does so itself. */
  atRates?: FoundTool;
}

/** What a load needs of a tool. */
export type Needs = Partial<Record<Need, boolean>>;

/**
 * Returns the tool that is asked for. For `auto` it is that of `$BOMBARDIER`, or the first that is
 * here and needs no service; at a steady rate rather one that counts latency from when a request
 * was due.
 * @param host where it is looked for, if not on this machine; it must be connected
 * @throws Problem if it can't do what is needed, or is missing: so is a program of its name with
 * another output of --version
 */
export function findTool(wanted: string, needs: Needs = {}, host?: Host): FoundTool {
  const able = ableTools(wanted, needs, host);
  const found = firstInstalled(able, host);
  if (!found) throw missingProblem(able, host);
  return found;
}

/**
 * Returns the tool of which a dry run prints the commands: that of `findTool`; if none is
 * installed, the one that could be. @throws Problem if no tool can do what is needed
 */
export function toolToShow(wanted: string, needs: Needs, host?: Host): FoundTool {
  const able = ableTools(wanted, needs, host);
  const [tool] = able;
  return firstInstalled(able, host) ?? { tool, version: null, path: tool.name, host };
}

/**
 * Returns the tools that are meant and can do what is needed, the best first. @throws Problem if
 * there is none
 */
function ableTools(wanted: string, needs: Needs, host?: Host): [LoadTool, ...LoadTool[]] {
  const candidates = candidatesFor(wanted);
  // Sorting keeps the order of the list among tools that are equal.
  const able = candidates
    .filter((tool) => missingAbilities(tool, needs, host).length === 0)
    .toSorted(
      (one, other) => Number(hidesWaiting(one, needs)) - Number(hidesWaiting(other, needs)),
    );
  const [first, ...others] = able;
  if (!first) throw unableProblem(candidates, needs, host);
  return [first, ...others];
}

/**
 * Returns the tool with another one beside it that sends at a steady rate in its place, if there is
 * one that does that better.
 * @param find what finds a tool that can do what is needed
 */
export function withToolAtRates(tool: FoundTool, find: () => FoundTool): FoundTool {
  const atRates = orUndefined(find);
  return atRates && atRates.tool !== tool.tool ? { ...tool, atRates } : tool;
}

/** Returns what makes a load: the tool itself, or the one beside it for a steady rate. */
export function toolFor(found: FoundTool, load: { isPaced: boolean }): FoundTool {
  return (load.isPaced && found.atRates) || found;
}

function firstInstalled(tools: readonly LoadTool[], host?: Host): FoundTool | undefined {
  for (const tool of tools) {
    for (const path of pathsOf(tool)) {
      const version = tool.version.exec(versionOutput(path, host))?.[1];
      if (version) return { tool, version, path, host };
    }
  }
  return undefined;
}

/**
 * Returns the tools that are meant: the one that `--tool` names; for `auto` bombardier alone if
 * `$BOMBARDIER` says where it is, else all that need no service.
 */
function candidatesFor(wanted: string): LoadTool[] {
  if (wanted !== 'auto') return TOOLS.filter(({ name }) => name === wanted);
  if (process.env.BOMBARDIER) return [bombardier];
  return TOOLS.filter(({ run }) => run === undefined);
}

function missingAbilities({ lacks }: LoadTool, needs: Needs, host: Host | undefined): Need[] {
  return lacks.filter((need) => (need === 'load host' ? host !== undefined : needs[need]));
}

/** Returns whether the tool's latency would leave out how long a request waited to be sent. */
function hidesWaiting({ latencyFrom }: LoadTool, needs: Needs): boolean {
  return needs['steady rate'] === true && latencyFrom === 'sent';
}

function pathsOf(tool: LoadTool): string[] {
  const { BOMBARDIER } = process.env;
  if (tool === bombardier && BOMBARDIER) return [BOMBARDIER];
  return [tool.name, `${ROOT}/.tools/bin/${tool.name}`];
}

/** Returns what a program prints with `--version`; nothing if there is no such program. */
function versionOutput(path: string, host: Host | undefined): string {
  const argv = [path, '--version'];
  const command = host?.argv(argv) ?? argv;
  const run = orUndefined(() =>
    Bun.spawnSync(command, { stdin: 'ignore', timeout: VERSION_TIMEOUT_MS }),
  );
  return run ? `${run.stdout}\n${run.stderr}` : '';
}

function unableProblem(candidates: LoadTool[], needs: Needs, host: Host | undefined): Problem {
  const missing = new Set(candidates.flatMap((tool) => missingAbilities(tool, needs, host)));
  const others = TOOLS.filter((tool) => missingAbilities(tool, needs, host).length === 0);
  const remedy =
    others.length > 0
      ? `Use --tool ${alternatives(others)}`
      : 'Leave out --load-host, or choose tasks of one request (--tasks)';
  const what = `${alternatives(candidates)} can't do what is asked for: ${[...missing].join(', ')}`;
  return new Problem(what, remedy);
}

function missingProblem(tools: LoadTool[], host: Host | undefined): Problem {
  const what = `There is no ${alternatives(tools)} on ${host ? host.name : 'this machine'}`;
  const remedy = host
    ? remedyThere()
    : `Run ${INVOKED_AS} setup, install one, set $BOMBARDIER to the path of a bombardier`;
  return new Problem(what, `${remedy}, or choose another with --tool`);
}

function remedyThere(): string {
  const { BOMBARDIER } = process.env;
  return BOMBARDIER
    ? `Unset $BOMBARDIER, or install one there as ${BOMBARDIER}`
    : 'Install one there';
}

function alternatives(tools: readonly LoadTool[]): string {
  return tools.map(({ name }) => name).join(' or ');
}

// For scripts/setup.sh: prints the load tool of this name, or fails.
if (import.meta.main) {
  const { tool, version, path } = findTool(process.argv[2] ?? 'auto');
  console.log(`${tool.name} ${version} (${path})`);
}
