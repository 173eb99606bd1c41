import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
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

function cannotMix(name: ToolName): Problem {
  const able = TOOL_NAMES.filter((each) => TOOLS[each].canMix).join(', ');
  return new Problem(
    `The load tool ${name} can send one request only, and some endpoints of this suite are mixes`,
    `Use --tool ${able}, or choose others with --endpoints`,
  );
}

/**
 * The tool that is asked for; for `auto` the first of bombardier, wrk and oha that is here. If `$BOMBARDIER` is set, `auto`
 * takes that one and no other.
 * @throws Problem if it can't send what is needed, if it is missing, or if each program of its name is another one.
 */
export function findTool(wanted: ToolName | 'auto', needs = { mix: false }): FoundTool {
  const isAble = (name: ToolName) => !needs.mix || TOOLS[name].canMix;
  if (wanted !== 'auto' && !isAble(wanted)) throw cannotMix(wanted);
  const hasChoice = wanted === 'auto' && !process.env.BOMBARDIER;
  const names = hasChoice ? TOOL_NAMES.filter(isAble) : [wanted === 'auto' ? 'bombardier' : wanted];
  if (!names.every(isAble)) throw cannotMix('bombardier');
  const searches = names.map((name) => TOOLS[name]).map(search);
  const found = searches.find((each) => each.found)?.found;
  if (found) return found;
  const strangers = searches.flatMap(({ strangers }) => strangers);
  const detail = strangers.length > 0 ? `: ${strangers.join(', ')} is not that program` : '';
  throw new Problem(
    `The load tool ${names.join(', ')} is not on this machine${detail}`,
    names[0] === 'bombardier' && names.length === 1
      ? 'Set $BOMBARDIER to its path, or use --tool wrk'
      : 'Install it, or run scripts/setup.sh and use --tool auto',
  );
}

function search(tool: LoadTool): { found?: FoundTool; strangers: string[] } {
  const strangers: string[] = [];
  for (const program of candidates(tool.name)) {
    const version = tool.identify(versionOutput([program, ...tool.versionArgv]));
    if (version) return { found: { tool, program, version }, strangers };
    strangers.push(program);
  }
  return { strangers };
}

/** Where a tool may be, first choice first. */
function candidates(name: ToolName): string[] {
  const fromVariable = name === 'bombardier' ? process.env.BOMBARDIER : undefined;
  if (fromVariable) return [fromVariable];
  const own = `${ROOT}/.tools/bin/${name}`;
  return [...(Bun.which(name) ? [name] : []), ...(existsSync(own) ? [own] : [])];
}

function versionOutput(argv: string[]): string {
  try {
    const { stdout, stderr } = Bun.spawnSync(argv, { stdin: 'ignore', timeout: 10_000 });
    return `${stdout}\n${stderr}`;
  } catch {
    // Not a program at all, such as a $BOMBARDIER that names no file.
    return '';
  }
}
