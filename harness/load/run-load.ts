import { tmpdir } from 'node:os';
import { sum } from 'simple-statistics';
import { ZodError, z } from 'zod';
import { Child } from '../machine/child.ts';
import { coresOf, type Pinning, pinnedLoad } from '../machine/pinning.ts';
import { Problem } from '../words/errors.ts';
import type { FoundTool } from './find.ts';
import { together } from './together.ts';
import { type Load, loadResult, UPLOAD_WITHIN_SECONDS } from './tool.ts';

/** How long a tool may take beyond the duration of its load: bombardier waits for its slowest answer. */
const GRACE_SECONDS = UPLOAD_WITHIN_SECONDS + 10;
/** ssh's own exit status: it lost its connection, or a signal ended what it ran. */
const SSH_FAILED = 255;

/** One part of the whole number; the first parts are larger by one if it can't be divided. */
function shareOf(total: number, index: number, parts: number): number {
  return Math.floor((total + parts - 1 - index) / parts);
}

/** The commands that make this load together, pinned if that is wanted, each with the host on which it runs. */
export function loadCommands({ tool, programs }: FoundTool, load: Load, pinning: Pinning | undefined) {
  // Of those that get a share.
  const parts = Math.min(programs.length, load.connections, load.rate ?? Number.POSITIVE_INFINITY);
  return programs.slice(0, parts).map(({ host, path }, index) => {
    const connections = shareOf(load.connections, index, parts);
    const rate = load.rate && shareOf(load.rate, index, parts);
    const argv = [tool.program ?? path, ...tool.argv({ ...load, connections, rate }, host?.cores ?? coresOf(pinning))];
    return { host, argv: host ? argv : pinnedLoad(argv, pinning) };
  });
}

type Command = ReturnType<typeof loadCommands>[number];

/**
 * Runs the load tool once, on all its hosts at the same time. A host that goes away is an error among the others.
 * @throws Problem if the tool can't be run, does not end well, or prints something else, or if a host can't be reached.
 */
export async function runLoad(found: FoundTool, load: Load, pinning: Pinning | undefined) {
  await found.tool.serve?.(found.programs[0]?.path ?? found.tool.name, pinning);
  const commands = loadCommands(found, load, pinning);
  // Before any of them begins.
  await Promise.all(commands.map(({ host }) => host?.connected()));
  const runs = await Promise.all(commands.map((command) => runCommand(found, load, command)));
  return {
    ...together(runs),
    toolCpuNs: sum(runs.map(({ used }) => used.cpuNs)),
    toolSleeps: sum(runs.map(({ used }) => used.sleeps)),
  };
}

async function runCommand(found: FoundTool, load: Load, { host, argv }: Command) {
  const files = [...(found.tool.files ?? []), ...load.requests.flatMap(({ bodyFile }) => bodyFile ?? [])];
  const command = host?.guarded(argv.map((word) => (files.includes(word) ? host.copyOf(word) : word))) ?? argv;
  const timeout = (load.durationSeconds + GRACE_SECONDS) * 1_000;
  await using child = new Child(command, { timeout, stdin: host && 'pipe' });
  const exit = await child.exited;
  const unanswered = (failure: string) => {
    const result = loadResult({ seconds: 0, statuses: {}, failures: { [failure]: 1 }, latencyUs: null });
    return { host, result, used: child.usage() };
  };
  if (host && (exit.signal || exit.code === SSH_FAILED)) {
    await host.disconnect();
    const reason = child.complaint().split('\n').at(-1)?.trim() || `ssh ended with ${exit.how}`;
    return unanswered(`${host.name} went away: ${reason}`);
  }
  if (exit.code === 0) return { host, ...printed(found, child) };
  const complaint = child.complaint();
  if (found.tool.refusal?.test(complaint)) return unanswered(complaint);
  const limit = exit.signal === 'SIGKILL' ? ` (which it gets after ${timeout / 1_000} s)` : '';
  throw failure(found, `ended with ${exit.how}${limit}; it said: ${complaint || 'nothing'}`);
}

/** What it printed, and what made the load used. @throws Problem if that is something unexpected. */
function printed(found: FoundTool, child: Child) {
  const stdout = child.stdout();
  try {
    const report = found.tool.parse(stdout);
    return { result: loadResult(report), used: report.used ?? child.usage() };
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
