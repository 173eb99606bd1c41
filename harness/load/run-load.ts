import { sum } from 'simple-statistics';
import { coresOf, type Pinning, pinnedLoad } from '../machine/pinning.ts';
import { Child } from '../processes/child.ts';
import type { Loaded } from '../result/schema.ts';
import { orUndefined } from '../words/errors.ts';
import type { FoundTool } from './find.ts';
import { kindOf } from './limits.ts';
import { answerWithin, type Load, type Report } from './tool.ts';

/** How long a tool may take beyond the load, and its wait for the slowest answer: bombardier would wait five times. */
const GRACE_SECONDS = 5;
/** So many kinds of errors are told apart; the rest is added up. */
const MAX_ERROR_KINDS = 10;

/** The command that makes this load: pinned if that is wanted, and as a shell of the load host reads it. */
export function loadCommand(
  { tool, path, host }: FoundTool,
  load: Load,
  pinning: Pinning | undefined,
): string[] {
  const program = tool.script === undefined ? [path] : ['sh', '-c', tool.script, path];
  const argv = [...program, ...tool.argv(load, host?.cores ?? coresOf(pinning))];
  return host ? argv : pinnedLoad(argv, pinning);
}

/**
 * Makes the load once. A tool that does not end well, or prints something else, is an error among the others.
 * @returns what was seen, the tool's CPU time in ns on this machine, and how often its threads slept
 * @throws Problem if the tool can't be started, or if the host can't be reached.
 */
export async function runLoad(
  found: FoundTool,
  load: Load,
  pinning: Pinning | undefined,
): Promise<LoadResult> {
  const { tool, path } = found;
  return loadResult(await (tool.run?.(path, load, pinning) ?? runCommand(found, load, pinning)));
}

async function runCommand(
  found: FoundTool,
  load: Load,
  pinning: Pinning | undefined,
): Promise<Report> {
  const { tool, version, host } = found;
  const argv = loadCommand(found, load, pinning);
  await host?.connected();
  const files = [...(tool.files ?? []), ...load.requests.flatMap(({ bodyFile }) => bodyFile ?? [])];
  const command =
    host?.guarded(argv.map((word) => (files.includes(word) ? host.copyOf(word) : word))) ?? argv;
  const timeout = (load.durationSeconds + answerWithin(load) + GRACE_SECONDS) * 1_000;
  await using child = new Child(command, { timeout, stdin: host && 'pipe' });
  const { code, description } = await child.exited;
  // How often ssh slept tells nothing.
  const used = { ...child.usage(), ...(host && { sleeps: null }) };
  const report = code === 0 ? orUndefined(() => tool.parse(child.output.stdout())) : undefined;
  if (report) return { ...report, used };
  // Whatever it was, the next load makes the connection anew.
  await host?.disconnect();
  const ended = code === 0 ? 'printed no result that can be read' : `ended with ${description}`;
  const reason = `${host?.name ?? `${tool.name} ${version}`} ${ended}; ${child.output.lastLines()}`;
  return { seconds: 0, statuses: {}, latencyUs: null, failures: { [reason]: 1 }, used };
}

/** One run of the load tool, as the result keeps it. CPU time and sleeps are those of the tool. */
export type LoadResult = Pick<
  Loaded,
  'requests' | 'seconds' | 'errors' | 'underWay' | 'latencyUs' | 'toolCpuNs' | 'toolSleeps'
>;

/** A report as the result keeps it. Answers outside 2xx are errors, beside requests without an answer. */
export function loadResult({
  seconds,
  statuses,
  failures,
  latencyUs,
  underWay = 0,
  used,
}: Report): LoadResult {
  const requests = sum(Object.values(statuses));
  const wrong = Object.entries(statuses).filter(([status]) => !status.startsWith('2'));
  const all = [
    ...wrong.map(([status, count]) => [`status ${status}`, count] as const),
    ...Object.entries(failures),
  ];
  // Tools tell the same kind thousands of times, each with a port or an identifier of its own.
  const kinds = Map.groupBy(all, ([said]) => kindOf(said));
  const errors = Array.from(kinds, ([detail, of]) => ({
    detail,
    count: sum(of.map(([, count]) => count)),
  }));
  const told = errors
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count);
  const others = sum(told.splice(MAX_ERROR_KINDS).map(({ count }) => count));
  if (others > 0) told.push({ detail: 'other errors', count: others });
  return {
    requests,
    seconds,
    errors: told,
    underWay,
    // Tools print the "latency" of a refused connection, too: it is none of an answer.
    latencyUs: requests > 0 ? latencyUs : null,
    toolCpuNs: used?.cpuNs ?? 0,
    toolSleeps: used?.sleeps ?? null,
  };
}
