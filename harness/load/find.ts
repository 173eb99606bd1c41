import { resolve } from 'node:path';
import { orUndefined, Problem } from '../words/errors.ts';
import { INVOKED_AS } from '../words/output.ts';
import { bombardier } from './bombardier.ts';
import type { Host } from './host.ts';
import { locust } from './locust.ts';
import { oha } from './oha.ts';
import type { LoadTool, Need } from './tool.ts';
import { vegeta } from './vegeta.ts';
import { wrk } from './wrk.ts';

/** The folder in which tracetax is. */
export const ROOT = resolve(import.meta.dir, '../..');
/** In the order of preference. */
const TOOLS: LoadTool[] = [bombardier, wrk, oha, vegeta, locust];
export const TOOL_NAMES = TOOLS.map(({ name }) => name);

/** A load tool that is there, on this machine or on the load host, and is what its name says. */
export interface FoundTool {
  tool: LoadTool;
  version: string;
  path: string;
  /** Undefined for this machine. */
  host: Host | undefined;
}

/**
 * The tool that is asked for. For `auto` that of `$BOMBARDIER`, or the first that is here and needs no service; at a
 * steady rate rather one that counts latency from when a request was due. With a host, it is looked for there: that must
 * be connected. @throws Problem if it can't do what is needed, or is missing: its name may be that of another program.
 */
export function findTool(
  wanted: string,
  needs: Partial<Record<Need, boolean>> = {},
  host?: Host,
): FoundTool {
  const { BOMBARDIER } = process.env;
  const fixed = wanted === 'auto' ? BOMBARDIER && bombardier.name : wanted;
  const tools = TOOLS.filter(({ name, run }) => (fixed ? name === fixed : !run));
  const lacking = ({ lacks }: LoadTool) =>
    lacks.filter((need) => (need === 'load host' ? host : needs[need]));
  const isAble = (tool: LoadTool) => lacking(tool).length === 0;
  const hidesWaiting = ({ latencyFrom }: LoadTool) =>
    Number(needs['steady rate'] && latencyFrom === 'sent');
  const able = tools
    .filter(isAble)
    .toSorted((one, other) => hidesWaiting(one) - hidesWaiting(other));
  if (able.length === 0) {
    const lacks = new Set(tools.flatMap(lacking));
    const others = oneOf(TOOLS.filter(isAble));
    const remedy = others
      ? `Use --tool ${others}`
      : 'Leave out --load-host, or choose tasks of one request (--tasks)';
    throw new Problem(
      `${oneOf(tools)} can't do what is asked for: ${[...lacks].join(', ')}`,
      remedy,
    );
  }
  for (const tool of able) {
    const own = tool === bombardier && BOMBARDIER;
    for (const path of own ? [own] : [tool.name, `${ROOT}/.tools/bin/${tool.name}`]) {
      const version = tool.version.exec(versionOutput(path, host))?.[1];
      if (version) return { tool, version, path, host };
    }
  }
  const here = `Run ${INVOKED_AS} setup, install one, set $BOMBARDIER to the path of a bombardier`;
  const [where, remedy] = host ? [host.name, 'Install one there'] : ['this machine', here];
  throw new Problem(
    `There is no ${oneOf(able)} on ${where}`,
    `${remedy}, or choose another with --tool`,
  );
}

const oneOf = (tools: LoadTool[]) => tools.map(({ name }) => name).join(' or ');

/** What it prints with `--version`; nothing if there is no such program. */
function versionOutput(path: string, host: Host | undefined): string {
  const argv = [path, '--version'];
  const run = orUndefined(() =>
    Bun.spawnSync(host?.argv(argv) ?? argv, { stdin: 'ignore', timeout: 10_000 }),
  );
  return run ? `${run.stdout}\n${run.stderr}` : '';
}

// For scripts/setup.sh: prints the load tool of this name, or fails.
if (import.meta.main) {
  const { tool, version, path } = findTool(process.argv[2] ?? 'auto');
  console.log(`${tool.name} ${version} (${path})`);
}
