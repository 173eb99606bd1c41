import type { Result } from '../results/schema.ts';
import type { Consistency } from '../stats/consistency.ts';
import { LEAST_VALUES } from '../stats/interval.ts';
import { impreciseScenarios } from '../stats/precision.ts';
import { invalidityOf, type Summary } from '../stats/summary.ts';
import { asGiB, asMsChange } from './units.ts';

/** What a reader must know beside the table to judge its figures, one paragraph each. */
export function notes(result: Result, summary: Summary): string[] {
  return [
    ...solo(result),
    ...duet(result),
    ...(summary.consistency ? [consistency(summary.consistency, result.configuration.connections)] : []),
    machine(result),
    ...remarks(result),
    ...summary.rows.flatMap((row) =>
      invalidityOf(row).map((reason) => `${row.title} is invalid, ${reason}.`),
    ),
    ...(summary.noiseFloor?.invalid ?? []).map((reason) => `The noise floor is invalid, ${reason}.`),
  ];
}

function solo({ configuration, tool, soloRounds }: Result): string[] {
  const { connections, durationSeconds, warmupSeconds, rounds, seed } = configuration;
  if (rounds === 0) return [];
  const done = soloRounds.length;
  const method =
    `Change per request: mean latency less the baseline's at ${connections} connections (closed loop); ` +
    `${count(done, 'round')} of ${durationSeconds} s after ${warmupSeconds} s of warm-up, fresh servers in random order ` +
    `(seed ${seed}), ${tool.name} ${tool.version}.`;
  return done < LEAST_VALUES
    ? [`${method} No interval: that takes ${LEAST_VALUES} rounds (--rounds ${LEAST_VALUES}).`]
    : [`${method} In brackets the 95 % interval.`];
}

function duet({ configuration, cpuClock, duetForks, suite }: Result): string[] {
  const { slices, connections } = configuration;
  if ('missing' in cpuClock) return [`Server CPU per request was not measured: ${cpuClock.missing}.`];
  if (duetForks.length === 0) return [];
  const counts = suite.scenarios.map(({ name }) => duetForks.filter((fork) => fork.scenario === name).length);
  const fewest = Math.min(...counts);
  const most = Math.max(...counts);
  const method =
    `Server CPU per request: baseline and scenario under load at once on one core, ${Math.max(1, Math.round(connections / 2))} connections each; ` +
    `${fewest === most ? fewest : `${fewest} to ${most}`} pairs of fresh servers, ${count(slices, 'slice')} of 1 s each; ${cpuClock.name}.`;
  return fewest < LEAST_VALUES
    ? [`${method} No interval: that takes ${LEAST_VALUES} pairs (--forks ${LEAST_VALUES}).`]
    : [`${method} In brackets the 95 % interval; ~ is no change that this run could tell from none.`];
}

function consistency({ rows }: Consistency, connections: number): string {
  const figures = ({ title, measuredUs, expectedUs }: Consistency['rows'][number]) =>
    `${title} ${asMsChange(measuredUs)} against ${asMsChange(expectedUs)}`;
  const astray = rows.filter(({ agrees }) => !agrees);
  if (astray.length === 0) {
    return `Consistency: on these saturated servers the change in ms agrees with ${connections} x the change of CPU per request.`;
  }
  return `Consistency: the change in ms does not agree with ${connections} x the change of CPU per request: ${astray.map(figures).join('; ')}.`;
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

function remarks(result: Result): string[] {
  const { configuration, tool, pinning, endedAt, stoppedBy, soloRounds, duetForks } = result;
  const done = `${soloRounds.length} of ${configuration.rounds} rounds and ${count(duetForks.length, 'duet')} are here`;
  const imprecise = impreciseScenarios(result);
  const all: [boolean, string][] = [
    [configuration.quick, 'A quick run, not for publishing.'],
    [tool.name !== 'bombardier', `Measured with ${tool.name} in place of bombardier.`],
    [
      'unpinned' in pinning,
      `Server and load tool share cores: ${'unpinned' in pinning ? pinning.unpinned : ''}.`,
    ],
    [
      configuration.precision !== null && imprecise.length === 0,
      `Every interval is as narrow as asked for: ± ${precision(result)}.`,
    ],
    [
      imprecise.length > 0,
      `Not as narrow as ± ${precision(result)} when the time was up: ${imprecise.join(', ')}.`,
    ],
    [stoppedBy !== null, `Stopped, ${stoppedBy}: ${done}. What was under way is not counted.`],
    [endedAt === null, `The run did not end as planned, or has not ended yet: ${done}.`],
  ];
  return all.filter(([applies]) => applies).map(([, remark]) => remark);
}

function precision({ configuration: { precision } }: Result): string {
  return precision ? `${precision.value} ${precision.unit === 'us' ? 'µs' : '%'}` : '';
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
