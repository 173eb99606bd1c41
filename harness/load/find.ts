import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ifThere } from '../machine/read.ts';
import { Problem } from '../problem.ts';
import { bombardier } from './bombardier.ts';
import { oha } from './oha.ts';
import { type LoadTool, TOOL_NAMES, type ToolName } from './tool.ts';
import { wrk } from './wrk.ts';

const ROOT = resolve(import.meta.dir, '../..');
const TOOLS: Record<ToolName, LoadTool> = { bombardier, wrk, oha };

/** A load tool that is on this machine and is what its name says. */
export interface FoundTool {
  tool: LoadTool;
  program: string;
  version: string;
}

/**
 * The tool that is asked for; for `auto` the first of bombardier, wrk and oha that is here. If `$BOMBARDIER` is set, `auto`
 * takes that one and no other.
 * @throws Problem if it can't send what is needed, if it is missing, or if each program of its name is another one.
 */
export function findTool(wanted: ToolName | 'auto', needs = { mix: false }): FoundTool {
  const fixed = wanted === 'auto' ? process.env.BOMBARDIER && 'bombardier' : wanted;
  const names = TOOL_NAMES.filter((name) => !fixed || name === fixed);
  const able = names.filter((name) => !needs.mix || TOOLS[name].canMix);
  if (able.length === 0) {
    throw new Problem(
      `The load tool ${names} can send one request only, but some endpoints of this suite are mixes`,
      `Use --tool ${TOOL_NAMES.filter((name) => TOOLS[name].canMix)}, or choose others with --endpoints`,
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
