import { tmpdir } from 'node:os';
import { ZodError, z } from 'zod';
import { Child } from '../machine/child.ts';
import { coresOf, type Pinning, pinnedLoad } from '../machine/pinning.ts';
import { Problem } from '../words/errors.ts';
import type { FoundTool } from './find.ts';
import { type Load, type LoadResult, loadResult, UPLOAD_WITHIN_SECONDS } from './tool.ts';

/** How long a tool may take beyond the duration of its load: bombardier waits for its slowest answer. */
const GRACE_SECONDS = UPLOAD_WITHIN_SECONDS + 10;
/** ssh's own exit status: it lost its connection, or a signal ended what it ran. */
const SSH_FAILED = 255;

/** The command that makes this load: pinned if that is wanted, and as a shell of the load host reads it. */
export function loadCommand({ tool, path, host }: FoundTool, load: Load, pinning: Pinning | undefined): string[] {
  const argv = [path, ...tool.argv(load, host?.cores ?? coresOf(pinning))];
  return host ? argv : pinnedLoad(argv, pinning);
}

/**
 * Runs the load tool once. A load host that goes away is an error among the others.
 * @returns what it saw, its CPU time in ns on this machine, and how often its threads slept
 * @throws Problem if the tool can't be run, does not end well, or prints something else, or if the host can't be reached.
 */
export async function runLoad(found: FoundTool, load: Load, pinning: Pinning | undefined) {
  const { tool, path, host } = found;
  if (tool.run) {
    const report = await tool.run(path, load, pinning);
    return used(loadResult(report), report.used ?? { cpuNs: 0, sleeps: 0 });
  }
  const argv = loadCommand(found, load, pinning);
  await host?.connected();
  const files = [...(tool.files ?? []), ...load.requests.flatMap(({ bodyFile }) => bodyFile ?? [])];
  const command = host?.guarded(argv.map((word) => (files.includes(word) ? host.copyOf(word) : word))) ?? argv;
  const timeout = (load.durationSeconds + GRACE_SECONDS) * 1_000;
  await using child = new Child(command, { timeout, stdin: host && 'pipe' });
  const exit = await child.exited;
  const complaint = child.complaint();
  if (exit.code === 0) return printed(found, child);
  if (host && (exit.signal || exit.code === SSH_FAILED)) {
    await host.disconnect();
    return unanswered(child, `${host.name} went away: ${complaint.split('\n').at(-1)?.trim() || exit.how}`);
  }
  if (tool.refusal?.test(complaint)) return unanswered(child, complaint);
  const limit = exit.signal === 'SIGKILL' ? ` (which it gets after ${timeout / 1_000} s)` : '';
  throw failure(found, `ended with ${exit.how}${limit}; it said: ${complaint || 'nothing'}`);
}

/** A run without an answer, for one reason. */
function unanswered(child: Child, reason: string) {
  return used(loadResult({ seconds: 0, statuses: {}, failures: { [reason]: 1 }, latencyUs: null }), child.usage());
}

function used(result: LoadResult, { cpuNs, sleeps }: { cpuNs: number; sleeps: number }) {
  return { ...result, toolCpuNs: cpuNs, toolSleeps: sleeps };
}

/** What it printed, and what made the load used. @throws Problem if that is something unexpected. */
function printed(found: FoundTool, child: Child) {
  const stdout = child.stdout();
  try {
    return used(loadResult(found.tool.parse(stdout)), child.usage());
  } catch (error) {
    const reason = error instanceof ZodError ? z.prettifyError(error) : (error as Error).message;
    // Bombardier does not tell that it could not write.
    const start = stdout.slice(0, 200).trim() || `nothing, perhaps because the disk of ${tmpdir()} is full`;
    throw failure(found, `printed something unexpected (${reason}): ${start}`);
  }
}

function failure({ tool, version }: FoundTool, what: string): Problem {
  return new Problem(
    `The load tool ${tool.name} ${version} ${what}`,
    'Choose another with --tool, or run by hand what --dry-run prints',
  );
}
