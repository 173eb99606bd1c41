import { ZodError, z } from 'zod';
import { Child, describeExit } from '../machine/child.ts';
import { type Pinning, pinned } from '../machine/pinning.ts';
import { Problem } from '../problem.ts';
import type { FoundTool } from './find.ts';
import { type Load, type LoadResult, loadResult } from './tool.ts';

/** How long a tool may take beyond the duration of its load: bombardier waits for its slowest answer. */
const GRACE_SECONDS = 30;

export interface LoadRun {
  /** The command as it ran. */
  command: string[];
  result: LoadResult;
  /** What the load tool itself used: its CPU time, and how often it fell asleep. */
  used: { cpuNs: number; sleeps: number };
}

/** How many cores the load tool may use. */
export function coresOf(pinning: Pinning | undefined): number {
  return pinning?.toolCoreCount ?? navigator.hardwareConcurrency;
}

/** The command that makes this load, pinned if that is wanted. */
export function loadArgv({ tool, program }: FoundTool, load: Load, pinning: Pinning | undefined): string[] {
  return pinned([program, ...tool.argv(load, coresOf(pinning))], pinning?.toolCores);
}

/**
 * Runs the load tool once and reads its output.
 * @throws Problem if it can't be run, crashes, does not end, or prints something unexpected.
 */
export async function runLoad(found: FoundTool, load: Load, pinning: Pinning | undefined): Promise<LoadRun> {
  const command = loadArgv(found, load, pinning);
  const timeout = (load.durationSeconds + GRACE_SECONDS) * 1_000;
  await using child = new Child(command, { cwd: process.cwd(), env: process.env, timeout });
  const exit = await child.exited;
  const result = exit.code === 0 ? printed(found, command, child.stdout()) : refused(found, child.complaint());
  if (result) return { command, result, used: child.usage() };
  throw failure(found, command, `ended with ${describeExit(exit)}; it said: ${child.complaint()}`);
}

/** What it printed. @throws Problem if that is something unexpected. */
function printed(found: FoundTool, command: string[], stdout: string): LoadResult {
  try {
    return loadResult(found.tool.parse(stdout));
  } catch (error) {
    const reason = error instanceof ZodError ? z.prettifyError(error) : (error as Error).message;
    const start = stdout.slice(0, 200).trim() || 'nothing';
    throw failure(found, command, `printed something unexpected (${reason}): ${start}`);
  }
}

/** The result of a tool that ended because nobody listens; undefined if it ended for another reason. */
function refused({ tool }: FoundTool, complaint: string): LoadResult | undefined {
  if (!tool.refusal?.test(complaint)) return undefined;
  return loadResult({ seconds: 0, statuses: {}, failures: { [complaint]: 1 }, latencyUs: null });
}

function failure({ tool, version }: FoundTool, command: string[], what: string): Problem {
  return new Problem(
    `The load tool ${tool.name} ${version} ${what}`,
    `Run it by hand, or choose another with --tool: ${command.join(' ')}`,
  );
}
