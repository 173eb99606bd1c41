import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ifThere } from '../machine/read.ts';
import { Problem } from '../problem.ts';
import { bombardier } from './bombardier.ts';
import { h2load } from './h2load.ts';
import { oha } from './oha.ts';
import { type LoadTool, TOOL_NAMES, type ToolName } from './tool.ts';
import { wrk } from './wrk.ts';

const ROOT = resolve(import.meta.dir, '../..');
const TOOLS: Record<ToolName, LoadTool> = { bombardier, wrk, oha, h2load };

/** A load tool that is on this machine and is what its name says. */
export interface FoundTool {
  tool: LoadTool;
  program: string;
  version: string;
}

interface Needs {
  /** More than one request. */
  mix: boolean;
  /** A steady rate. */
  rate: boolean;
}

/**
 * The tool that is asked for; for `auto` the first of TOOL_NAMES that is here, at a steady rate rather one that counts
 * latency from when a request was due. If `$BOMBARDIER` is set, `auto` takes that one and no other.
 * @throws Problem if it can't send what is needed, if it is missing, or if each program of its name is another one.
 */
export function findTool(wanted: ToolName | 'auto', needs: Needs = { mix: false, rate: false }): FoundTool {
  const fixed = wanted === 'auto' ? process.env.BOMBARDIER && 'bombardier' : wanted;
  const names = TOOL_NAMES.filter((name) => !fixed || name === fixed);
  const isAble = (name: ToolName) => !lackOf(TOOLS[name], needs);
  const hidesWaiting = (name: ToolName) => Number(needs.rate && TOOLS[name].latencyFrom === 'sent');
  const able = names.filter(isAble).sort((one, other) => hidesWaiting(one) - hidesWaiting(other));
  if (able.length === 0) {
    const [lack] = names.map((name) => lackOf(TOOLS[name], needs));
    const others = TOOL_NAMES.filter(isAble);
    throw new Problem(
      `The load tool ${names} ${lack}`,
      `${others.length > 0 ? `Use --tool ${others}, or choose` : 'Choose'} others with --endpoints`,
    );
  }
  const strangers: string[] = [];
  for (const name of able) {
    for (const program of programs(name)) {
      const version = TOOLS[name].version.exec(versionOutput(program))?.[1];
      if (version) return { tool: TOOLS[name], program, version };
      strangers.push(program);
    }
  }
  const detail = strangers.length > 0 ? `: ${strangers.join(', ')} is not that program` : '';
  throw new Problem(
    `The load tool ${able.join(', ')} is not on this machine${detail}`,
    fixed === 'bombardier'
      ? 'Set $BOMBARDIER to its path, or use --tool wrk'
      : 'Install it: go install github.com/codesenberg/bombardier@latest, or wrk, or oha',
  );
}

/** What the tool can't do of what is needed. */
function lackOf({ canMix, latencyFrom }: LoadTool, { mix, rate }: Needs): string | undefined {
  if (mix && !canMix) return 'can send one request only, but some endpoints of this suite are mixes';
  return rate && latencyFrom === null ? "can't send at a steady rate" : undefined;
}

/** Where a tool may be, first choice first. */
function programs(name: ToolName): string[] {
  const { BOMBARDIER } = process.env;
  if (name === 'bombardier' && BOMBARDIER) return [BOMBARDIER];
  const own = `${ROOT}/.tools/bin/${name}`;
  return [...(Bun.which(name) ? [name] : []), ...(existsSync(own) ? [own] : [])];
}

/** What it prints with `--version`; nothing if there is no such program, as with a $BOMBARDIER that names no file. */
function versionOutput(program: string): string {
  const run = ifThere(() => Bun.spawnSync([program, '--version'], { stdin: 'ignore', timeout: 10_000 }));
  return run ? `${run.stdout}\n${run.stderr}` : '';
}

// For scripts/setup.sh: prints the load tool of this name, or fails.
if (import.meta.main) {
  const { tool, version, program } = findTool(process.argv[2] as ToolName);
  console.log(`${tool.name} ${version} (${program})`);
}
