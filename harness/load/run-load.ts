import { type Pinning, pinnedLoad, toolCoreCountOf } from '../machine/pinning.ts';
import { Child } from '../processes/child.ts';
import { orUndefined } from '../words/errors.ts';
import { type FoundTool, toolFor } from './find.ts';
import type { Host } from './host.ts';
import { type LoadResult, loadResult } from './load-result.ts';
import { answerWithinSeconds, type Load, type Report } from './tool.ts';

/**
 * How long a tool may take on top of the load and of the wait for the slowest answer: bombardier
 * would wait five times.
 */
const GRACE_SECONDS = 5;

/**
 * Returns the command that makes this load: pinned if that is wanted, and as a shell of the load
 * host reads it.
 */
export function loadCommand(found: FoundTool, load: Load, pinning: Pinning | undefined): string[] {
  const { tool, path, host } = toolFor(found, { isPaced: load.rate !== undefined });
  const program = tool.script === undefined ? [path] : ['sh', '-c', tool.script, path];
  const argv = [...program, ...tool.argv(load, host?.cores ?? toolCoreCountOf(pinning))];
  return host ? argv : pinnedLoad(argv, pinning);
}

/**
 * Returns the same where files have other paths, as on a load host.
 * @param pathThere returns the path there of a file that is on this machine
 */
export function loadCommandThere(
  found: FoundTool,
  load: Load,
  pinning: Pinning | undefined,
  pathThere: (file: string) => string,
): string[] {
  const files = filesOf(found, load.requests);
  const argv = loadCommand(found, load, pinning);
  return argv.map((word) => (files.includes(word) ? pathThere(word) : word));
}

/** Returns the files that a tool's arguments name for these requests. */
export function filesOf({ tool }: FoundTool, requests: Load['requests']): string[] {
  return [...(tool.files ?? []), ...requests.flatMap(({ bodyFile }) => bodyFile ?? [])];
}

/**
 * Makes the load once. A tool that does not end well, or prints something else, is an error among
 * the others.
 * @returns what was seen, the tool's CPU time in ns on this machine, and how often its threads
 * slept
 * @throws Problem if the tool can't be started, or if the host can't be reached.
 */
export async function runLoad(
  found: FoundTool,
  load: Load,
  pinning: Pinning | undefined,
): Promise<LoadResult> {
  const loading = toolFor(found, { isPaced: load.rate !== undefined });
  const { tool, path } = loading;
  const report = tool.run
    ? await tool.run(path, load, pinning)
    : await runCommand(loading, load, pinning);
  return loadResult(report);
}

/** What a load tool that tells nothing has done, as far as anybody knows. */
const NO_LOAD = { seconds: 0, statuses: {}, latencyUs: null };

async function runCommand(
  found: FoundTool,
  load: Load,
  pinning: Pinning | undefined,
): Promise<Report> {
  const { tool, host } = found;
  await host?.connected();
  const command = host
    ? commandOnHost(found, host, load, pinning)
    : loadCommand(found, load, pinning);
  const timeoutMs = toolTimeoutMs(load);
  const startMs = performance.now();
  await using child = new Child(command, { timeoutMs, stdin: host && 'pipe' });
  const exit = await child.exited;
  const isGivenUp = performance.now() - startMs >= timeoutMs;
  const name = nameOf(found);
  // How often ssh slept tells nothing of the tool.
  const used = { ...child.usage(), ...(host && { sleeps: null }) };
  const hasEndedWell = exit.code === 0;
  const report = hasEndedWell ? orUndefined(() => tool.parse(child.output.stdout())) : undefined;
  if (report) return { ...report, used };
  // Whatever it was, the next load makes the connection anew.
  await host?.disconnect();
  if (isGivenUp) {
    const waited = `${name} still waited for an answer after ${Math.round(timeoutMs / 1e3)} s`;
    return { ...NO_LOAD, failures: { [waited]: 1 }, failedAs: 'answer-missing', used };
  }
  const what = hasEndedWell
    ? 'printed no result that can be read'
    : `ended with ${exit.description}`;
  const reason = `${name} ${what}; ${child.output.lastLines()}`;
  return { ...NO_LOAD, failures: { [reason]: 1 }, failedAs: 'load-tool-failed', used };
}

/** Returns the command that runs the tool on the host. Copies what it needs there. */
function commandOnHost(
  found: FoundTool,
  host: Host,
  load: Load,
  pinning: Pinning | undefined,
): string[] {
  return host.guarded(loadCommandThere(found, load, pinning, (file) => host.copyOf(file)));
}

/** Returns after how long the load tool itself is given up. */
function toolTimeoutMs(load: Load): number {
  return (load.durationSeconds + answerWithinSeconds(load) + GRACE_SECONDS) * 1e3;
}

function nameOf({ tool, version, host }: FoundTool): string {
  return host?.name ?? `${tool.name} ${version}`;
}
