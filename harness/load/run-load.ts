import { ZodError, z } from 'zod';
import { Child } from '../machine/child.ts';
import { type Pinning, pinned } from '../machine/pinning.ts';
import { Problem } from '../problem.ts';
import type { FoundTool } from './find.ts';
import type { Load, LoadResult } from './tool.ts';

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
  const child = new Child(command, { cwd: process.cwd(), env: process.env });
  const limit = setTimeout(() => child.kill(), (load.durationSeconds + GRACE_SECONDS) * 1_000);
  const { code, signal } = await child.exited;
  clearTimeout(limit);
  const output = child.stdout();
  const complaint = child.complaint();
  const used = child.usage();
  await child.stop();
  if (code !== 0 && found.tool.refusal?.test(complaint)) {
    return { command, result: refused(complaint), used };
  }
  if (code !== 0) {
    throw failure(
      found,
      command,
      `ended with ${signal ? `signal ${signal}` : `status ${code}`}; it said: ${complaint}`,
    );
  }
  return { command, result: parse(found, command, output), used };
}

function refused(complaint: string): LoadResult {
  const errors = [{ kind: 'refused' as const, detail: complaint, count: 1 }];
  return { requests: 0, seconds: 0, errors, latencyUs: null };
}

function parse(found: FoundTool, command: string[], output: string): LoadResult {
  try {
    return found.tool.parse(output);
  } catch (error) {
    const reason = error instanceof ZodError ? z.prettifyError(error) : (error as Error).message;
    throw failure(
      found,
      command,
      `printed something unexpected (${reason}): ${output.slice(0, 200).trim() || 'nothing'}`,
    );
  }
}

function failure({ tool, version }: FoundTool, command: string[], what: string): Problem {
  return new Problem(
    `The load tool ${tool.name} ${version} ${what}`,
    `Run it by hand, or choose another with --tool: ${command.join(' ')}`,
  );
}
