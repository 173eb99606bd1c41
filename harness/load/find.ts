import { resolve } from 'node:path';
import type { Host } from '../machine/host.ts';
import { ifThere } from '../machine/read.ts';
import { Problem } from '../words/errors.ts';
import { bombardier } from './bombardier.ts';
import { locust } from './locust.ts';
import { oha } from './oha.ts';
import { type LoadTool, NEEDS, type Need, TOOL_NAMES, type ToolName } from './tool.ts';
import { wrk } from './wrk.ts';

const ROOT = resolve(import.meta.dir, '../..');
const BY_NAME: Record<ToolName, LoadTool> = { bombardier, wrk, oha, locust };
const TOOLS = TOOL_NAMES.map((name) => BY_NAME[name]);

/** What helps if that one alone would do, and is missing. */
const REMEDIES: Record<string, string> = {
  bombardier: 'Set $BOMBARDIER to its path, or use --tool wrk',
  wrk: 'Install it, by apt or brew',
  oha: 'Install it, by cargo or brew',
  locust: 'Install it (scripts/setup.sh --with-locust, or pip install locust)',
};

/** A load tool that is there, on this machine or on the load host, and is what its name says. */
export interface FoundTool {
  tool: LoadTool;
  version: string;
  path: string;
  /** Undefined for this machine. */
  host: Host | undefined;
}

type Needs = Partial<Record<Need, boolean>>;

/**
 * The tool that is asked for. For `auto` that of `$BOMBARDIER`, or the first that is here and needs no service; at a
 * steady rate rather one that counts latency from when a request was due. With a host, it is looked for there: that must
 * be connected. @throws Problem if it can't send what is needed, or is missing: its name may be that of another program.
 */
export function findTool(wanted: ToolName | 'auto', needs: Needs = {}, host?: Host): FoundTool {
  const fixed = wanted === 'auto' ? process.env.BOMBARDIER && 'bombardier' : wanted;
  const tools = TOOLS.filter(({ name, isService }) => (fixed ? name === fixed : !isService));
  return findOn(host, ableTools(tools, { ...needs, host: host !== undefined }));
}

/** Those of the tools that can send what is needed, first choice first. @throws Problem if none can. */
function ableTools(tools: LoadTool[], needs: Needs): LoadTool[] {
  const lacking = ({ lacks }: LoadTool) => lacks.filter((need) => needs[need]);
  const isAble = (tool: LoadTool) => lacking(tool).length === 0;
  const hidesWaiting = ({ latencyFrom }: LoadTool) => Number(needs.rate && latencyFrom === 'sent');
  const able = tools.filter(isAble).sort((one, other) => hidesWaiting(one) - hidesWaiting(other));
  if (able.length > 0) return able;
  const lacks = new Set(tools.flatMap(lacking));
  // Without --load-host there is always one.
  const others = oneOf(TOOLS.filter(isAble));
  throw new Problem(
    `Can't send ${[...lacks].map((need) => NEEDS[need]).join(' and ')} with ${oneOf(tools)}`,
    `Use ${others ? `--tool ${others}` : 'no --load-host'}${needs.mix ? ', or choose tasks of one request (--tasks)' : ''}`,
  );
}

function oneOf(tools: LoadTool[]): string {
  return tools.map(({ name }) => name).join(' or ');
}

/** The first of the tools that is on the host. @throws Problem if none is. */
function findOn(host: Host | undefined, tools: LoadTool[]): FoundTool {
  const strangers: string[] = [];
  for (const tool of tools) {
    for (const path of paths(tool)) {
      const output = versionOutput(path, host);
      const version = tool.version.exec(output ?? '')?.[1];
      if (version) return { tool, version, path, host };
      if (output !== undefined) strangers.push(`${path} says ${JSON.stringify(output.trim().split('\n')[0])}`);
      else if (path === process.env.BOMBARDIER) strangers.push(`there is no program ${path}`);
    }
  }
  const detail = strangers.length > 0 ? `: ${strangers.join(', ')}` : '';
  throw new Problem(
    `There is no ${oneOf(tools)} on ${host?.name ?? 'this machine'}${detail}`,
    REMEDIES[oneOf(tools)] ?? 'Install one: bombardier (github.com/codesenberg/bombardier/releases), wrk or oha',
  );
}

/** Where a tool may be, first choice first. */
function paths({ name }: LoadTool): string[] {
  const { BOMBARDIER } = process.env;
  if (name === 'bombardier' && BOMBARDIER) return [BOMBARDIER];
  return [name, `${ROOT}/.tools/bin/${name}`];
}

/** What it prints with `--version`; undefined if there is no such program. */
function versionOutput(path: string, host: Host | undefined): string | undefined {
  const argv = [path, '--version'];
  const run = ifThere(() => Bun.spawnSync(host?.argv(argv) ?? argv, { stdin: 'ignore', timeout: 10_000 }));
  // What a shell says if there is none.
  return run && run.exitCode !== 127 ? `${run.stdout}\n${run.stderr}` : undefined;
}

// For scripts/setup.sh: prints the load tool of this name, or fails.
if (import.meta.main) {
  const { tool, version, path } = findTool(process.argv[2] as ToolName);
  console.log(`${tool.name} ${version} (${path})`);
}
