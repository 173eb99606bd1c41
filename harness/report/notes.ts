import type { Result } from '../results/schema.ts';
import type { Verdict, VerdictKind } from '../results/verdict.ts';
import { LEAST_VALUES } from '../stats/interval.ts';
import { impreciseScenarios } from '../stats/precision.ts';
import { type Row, type Summary, summarise } from '../stats/summary.ts';
import type { TaskResult } from '../stats/tasks.ts';
import { asGiB } from './units.ts';

/** What a reader must know beside the table to judge its figures, one paragraph each. */
export function notes(result: Result, tasks: TaskResult[], verdicts: Verdict[]): string[] {
  // Every task has as many rounds and forks as the first, unless the run was stopped, which is said.
  const [first] = tasks as [TaskResult];
  return [
    ...solo(first.result),
    ...duet(first.result),
    ...(tasks.length === 1 ? consistency(summarise(first.result), result.configuration.connections) : []),
    ...skipped(result),
    ...proofs(result),
    machine(result),
    ...remarks(result),
    ...warnings(verdicts),
  ];
}

/** Verdicts after which a row's figures mean something else than they seem to: the row has a † too. */
export const MARKED: VerdictKind[] = ['dropped-spans', 'tool-bottleneck', 'unsaturated'];

/** The row's label, with a † where one of the verdicts changes what the row means. */
export function markedTitle({ title, scenario }: Row, verdicts: Verdict[]): string {
  const isMarked = verdicts.some((each) => each.scenario === scenario && MARKED.includes(each.kind));
  return isMarked ? `${title} †` : title;
}

/** One line for each verdict, with its remedy. */
function warnings(verdicts: Verdict[]): string[] {
  if (verdicts.length === 0) return [];
  const byKind = [...Map.groupBy(verdicts, ({ kind }) => kind).values()];
  return [
    byKind
      .flatMap((alike) =>
        alike.length > MOST_ALIKE && alike[0]?.kind !== 'invalid' ? [manyAlike(alike)] : alike.map(warning),
      )
      .join('\n'),
  ];
}

function warning({ kind, message, remedy }: Verdict): string {
  return `- ${MARKED.includes(kind) ? '† ' : ''}${message}. _${remedy}._`;
}

/** More verdicts of one kind than this make one line, but for reasons of invalid rows: all are in the result file. */
const MOST_ALIKE = 5;

function manyAlike(alike: Verdict[]): string {
  const [first] = alike as [Verdict];
  return warning({ ...first, message: `${first.message}; and ${alike.length - 1} more like this` });
}

function skipped({ suite }: Result): string[] {
  return suite.skipped.map(({ scenario, reason }) => `${scenario} was skipped: ${reason}.`);
}

function proofs({ proofs, suite }: Result): string[] {
  if (proofs.length === 0) return [];
  const perRequest = proofs.map(({ scenario, spans, requests }) => {
    const title = suite.scenarios.find(({ name }) => name === scenario)?.title ?? scenario;
    return `${title} ${spans / requests}`;
  });
  const [{ requests }] = proofs as [Result['proofs'][number]];
  return [
    `Proven before measuring: of ${requests} requests each server exported exactly what its level claims. Spans a request: ${perRequest.join(', ')}.`,
  ];
}

function solo({ configuration, tool, soloRounds }: Result): string[] {
  const { connections, durationSeconds, requestCount, warmupSeconds, rounds, seed } = configuration;
  if (rounds === 0) return [];
  const done = soloRounds.length;
  const method =
    `Change per request: mean latency less the baseline's at ${connections} connections (closed loop); ` +
    `${count(done, 'round')} of ${requestCount === null ? `${durationSeconds} s` : `${requestCount} requests`} after ${warmupSeconds} s of warm-up, fresh servers in random order ` +
    `(seed ${seed}), ${tool.name} ${tool.version}.`;
  return done < LEAST_VALUES
    ? [`${method} No interval: that takes ${LEAST_VALUES} rounds (--rounds ${LEAST_VALUES}).`]
    : [`${method} In brackets the 95 % interval.`];
}

function duet({ configuration, cpuClock, duetForks, suite }: Result): string[] {
  const { slices, sliceSeconds, connections } = configuration;
  if ('missing' in cpuClock) return [`Server CPU per request was not measured: ${cpuClock.missing}.`];
  if (duetForks.length === 0) return [];
  const counts = suite.scenarios.map(({ name }) => duetForks.filter((fork) => fork.scenario === name).length);
  const fewest = Math.min(...counts);
  const most = Math.max(...counts);
  const method =
    `Server CPU per request: baseline and scenario under load at once on one core, ${Math.max(1, Math.round(connections / 2))} connections each; ` +
    `${fewest === most ? fewest : `${fewest} to ${most}`} pairs of fresh servers, ${count(slices, 'slice')} of ${sliceSeconds} s each; ${cpuClock.name}.`;
  return fewest < LEAST_VALUES
    ? [`${method} No interval: that takes ${LEAST_VALUES} pairs (--forks ${LEAST_VALUES}).`]
    : [`${method} In brackets the 95 % interval; ~ is no change that this run could tell from none.`];
}

/** Only where it holds: else it is a verdict. */
function consistency({ consistency }: Summary, connections: number): string[] {
  if (!consistency?.rows.every(({ agrees }) => agrees)) return [];
  return [
    `Consistency: on these saturated servers the change in ms agrees with ${connections} x the change of CPU per request.`,
  ];
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
  const { configuration, tool, endedAt, stoppedBy, soloRounds, duetForks } = result;
  const planned = configuration.rounds * Math.max(1, result.suite.tasks.length);
  const done = `${soloRounds.length} of ${planned} rounds and ${count(duetForks.length, 'duet')} are here`;
  const imprecise = impreciseScenarios(result);
  const all: [boolean, string][] = [
    [tool.name !== 'bombardier', `Measured with ${tool.name} in place of bombardier.`],
    [
      configuration.precision !== null && imprecise.size === 0,
      `Every interval is as narrow as asked for: ± ${precision(result)}.`,
    ],
    [
      imprecise.size > 0,
      `Not as narrow as ± ${precision(result)} when the time was up: ${[...imprecise.values()].flat().join(', ')}.`,
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
