import type { Result } from '../results/schema.ts';
import type { SoloRow } from '../stats/solo.ts';
import { asGiB } from './units.ts';

/** What a reader must know beside the table to judge its figures, one line each. */
export function notes(result: Result, rows: SoloRow[]): string[] {
  return [conditions(result), machine(result), ...remarks(result), ...rows.flatMap(invalidity)];
}

function conditions({ configuration, tool, soloRounds }: Result): string {
  const { connections, durationSeconds, warmupSeconds, seed } = configuration;
  const rounds = soloRounds.length === 1 ? '1 round' : `${soloRounds.length} rounds`;
  return (
    `Change of the mean latency from the baseline at ${connections} connections (closed loop), in ms; ` +
    `${rounds} of ${durationSeconds} s after ${warmupSeconds} s of warm-up, fresh servers in random order (seed ${seed}). ` +
    `Load: ${tool.name} ${tool.version}.`
  );
}

function machine({ environment, pinning, startedAt }: Result): string {
  const { cpu, cores, memoryBytes, kernel, virtualization, runtime, packages } = environment;
  const where =
    'serverCore' in pinning
      ? `server on core ${pinning.serverCore}, load on ${pinning.toolCores}`
      : 'not pinned';
  const host = [cpu, `${cores} cores`, asGiB(memoryBytes), kernel, virtualization].filter(Boolean).join(', ');
  return `${startedAt.slice(0, 10)} on ${host}; ${where}; Bun ${runtime.version}, Hono ${packages.hono ?? 'unknown'}.`;
}

function remarks({ configuration, tool, pinning, endedAt, stoppedBy, soloRounds }: Result): string[] {
  const rounds = `${soloRounds.length} of ${configuration.rounds} rounds`;
  const all: [boolean, string][] = [
    [configuration.quick, 'A quick run, not for publishing.'],
    [tool.name !== 'bombardier', `Measured with ${tool.name} in place of bombardier.`],
    [
      'unpinned' in pinning,
      `Server and load tool share cores: ${'unpinned' in pinning ? pinning.unpinned : ''}.`,
    ],
    [stoppedBy !== null, `Stopped after ${rounds}: ${stoppedBy}. What was under way is not counted.`],
    [endedAt === null, `The run did not end as planned, or has not ended yet: ${rounds} are here.`],
  ];
  return all.filter(([applies]) => applies).map(([, remark]) => remark);
}

function invalidity({ title, invalid }: SoloRow): string[] {
  return invalid.map((reason) => `${title} is invalid, ${reason}.`);
}
