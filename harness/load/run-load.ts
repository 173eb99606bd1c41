import { ZodError, z } from 'zod';
import { Child, describeExit } from '../machine/child.ts';
import { type Pinning, pinned } from '../machine/pinning.ts';
import { Problem } from '../problem.ts';
import type { FoundTool, Program } from './find.ts';
import { together } from './together.ts';
import { type Load, type LoadResult, loadResult, type Report, type ToolUsage } from './tool.ts';

/** How long a tool may take beyond the duration of its load: bombardier waits for its slowest answer. */
const GRACE_SECONDS = 30;
/** ssh's own exit status: it lost its connection, or a signal ended what it ran. */
const SSH_FAILED = 255;

export interface LoadRun {
  result: LoadResult;
  /** What the load tool itself used on this machine. */
  used: ToolUsage;
}

/** How many cores the load tool may use on this machine. */
export function coresOf(pinning: Pinning | undefined): number {
  return pinning?.toolCoreCount ?? navigator.hardwareConcurrency;
}

/** How many connections the tool really opens on all hosts together: on one server alone, and on each of two at once. */
export function openedConnections({ tool, programs }: FoundTool, wanted: number, pinning: Pinning | undefined) {
  const really = (count: number) => {
    const counts = programs.map(({ host }, index) => {
      const share = shareOf(count, index, programs.length);
      return tool.opened?.(share, host?.cores ?? coresOf(pinning)) ?? share;
    });
    return counts.reduce((sum, each) => sum + each, 0);
  };
  const connections = really(wanted);
  return { connections, duetConnections: really(Math.max(1, Math.round(connections / 2))) };
}

/** One part of the whole number; the first parts are larger by one if it can't be divided. */
function shareOf(total: number, index: number, parts: number): number {
  return Math.floor((total + parts - 1 - index) / parts);
}

/** The commands that make this load together, pinned if that is wanted, each with the host on which it runs. */
export function loadCommands({ tool, programs }: FoundTool, load: Load, pinning: Pinning | undefined): Command[] {
  return programs.flatMap(({ host, path }, index) => {
    const connections = shareOf(load.connections, index, programs.length);
    const rate = load.rate && shareOf(load.rate, index, programs.length);
    if (connections === 0 || rate === 0) return [];
    const argv = [tool.program ?? path, ...tool.argv({ ...load, connections, rate }, host?.cores ?? coresOf(pinning))];
    return [{ host, argv: host ? argv : pinned(argv, pinning?.toolCores) }];
  });
}

type Command = Pick<Program, 'host'> & { argv: string[] };

/**
 * Runs the load tool once, on all its hosts at the same time, and reads its output. A host that goes away is an error among
 * the others.
 * @throws Problem if the tool can't be run, crashes, does not end, or prints something unexpected, or if a host can't be reached.
 */
export async function runLoad(found: FoundTool, load: Load, pinning: Pinning | undefined): Promise<LoadRun> {
  await found.tool.serve?.(found.programs[0]?.path ?? found.tool.name, pinning);
  const commands = loadCommands(found, load, pinning);
  // Before any of them begins.
  await Promise.all(commands.map(({ host }) => host?.connected()));
  const runs = await Promise.all(commands.map((command) => runCommand(found, load, command)));
  return { result: together(runs), used: allUsed(runs.map(({ used }) => used)) };
}

function allUsed(parts: ToolUsage[]): ToolUsage {
  return {
    cpuNs: parts.reduce((sum, { cpuNs }) => sum + cpuNs, 0),
    sleeps: parts.reduce((sum, { sleeps }) => sum + sleeps, 0),
  };
}

async function runCommand(
  found: FoundTool,
  load: Load,
  { host, argv }: Command,
): Promise<LoadRun & Pick<Command, 'host'>> {
  const files = [...(found.tool.files ?? []), ...load.requests.flatMap(({ bodyFile }) => bodyFile ?? [])];
  const command = host?.guarded(argv.map((word) => (files.includes(word) ? host.copyOf(word) : word))) ?? argv;
  const timeout = (load.durationSeconds + GRACE_SECONDS) * 1_000;
  const stdin = host && { stdin: 'pipe' as const };
  await using child = new Child(command, { cwd: process.cwd(), env: process.env, timeout, ...stdin });
  const exit = await child.exited;
  if (host && (exit.signal || exit.code === SSH_FAILED)) {
    await host.disconnect();
    const reason = child.complaint().split('\n').at(-1)?.trim() || `ssh ended with ${describeExit(exit)}`;
    const error = { kind: 'other' as const, detail: `${host.name} went away: ${reason}`, count: 1 };
    return { host, result: { requests: 0, seconds: 0, errors: [error], latencyUs: null }, used: child.usage() };
  }
  const report = exit.code === 0 ? printed(found, argv, child.stdout()) : refused(found, child.complaint());
  if (report)
    return { host, result: loadResult(report), used: allUsed([child.usage(), ...(report.used ? [report.used] : [])]) };
  throw failure(found, argv, `ended with ${describeExit(exit)}; it said: ${child.complaint()}`);
}

/** What it printed. @throws Problem if that is something unexpected. */
function printed(found: FoundTool, command: string[], stdout: string): Report {
  try {
    return found.tool.parse(stdout);
  } catch (error) {
    const reason = error instanceof ZodError ? z.prettifyError(error) : (error as Error).message;
    const start = stdout.slice(0, 200).trim() || 'nothing';
    throw failure(found, command, `printed something unexpected (${reason}): ${start}`);
  }
}

/** Of a tool that ended because nobody listens; undefined if it ended for another reason. */
function refused({ tool }: FoundTool, complaint: string): Report | undefined {
  if (!tool.refusal?.test(complaint)) return undefined;
  return { seconds: 0, statuses: {}, failures: { [complaint]: 1 }, latencyUs: null };
}

function failure({ tool, version }: FoundTool, command: string[], what: string): Problem {
  return new Problem(
    `The load tool ${tool.name} ${version} ${what}`,
    `Run it by hand, or choose another with --tool: ${command.join(' ')}`,
  );
}
