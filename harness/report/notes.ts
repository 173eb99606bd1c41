import { $ } from 'bun';
import { calibrationRows } from '../analysis/calibration.ts';
import type { Analysis, Verdict } from '../analysis/model.ts';
import { isCalibration, rowsOf, shownCosts } from './tables.ts';
import { counted } from './text.ts';

/** What a reader must know beside the tables: plain sentences, which every format escapes as it needs. */

/** How the figures of the docs table came about, in one line. */
export function howMeasured(analysis: Analysis): string {
  const { run, tasks } = analysis;
  const rows = tasks.flatMap(rowsOf);
  const counts = rows.filter(({ invalid }) => invalid.length === 0).map(({ pairs }) => pairs);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  const pairs = fewest < most ? `${fewest} to ${counted(most, 'pair')}` : counted(Math.max(0, most), 'pair');
  const latency = `mean latency at ${counted(run.configuration.connections, 'connection')}`;
  const costs = shownCosts(analysis).map((cost) => (cost === 'cpuUs' ? 'CPU time of the server' : latency));
  const together = tasks.length > 1 ? ' (all rows of a task together)' : ' (all rows together)';
  const interval = `± 95 % interval${rows.length > tasks.length ? together : ''}, ~ if it holds zero`;
  const { tool, environment } = run;
  const where = `${tool.name} ${tool.version}, ${runtime(analysis)}, ${environment.cpu}, ${counted(environment.cores, 'core')}`;
  return [
    ...(costs.length > 0 ? [`Scenario minus baseline, ${costs.join(' and ')}, ${interval}.`] : []),
    `${pairs} of fresh servers a row, ${where}, ${run.startedAt.slice(0, 10)}.`,
  ].join(' ');
}

/** How many intervals of a calibration cover the truth: the only line, or none. */
export function calibrationNote(analysis: Analysis): string[] {
  if (!isCalibration(analysis)) return [];
  const measured = calibrationRows(analysis).filter(({ isCovered }) => isCovered !== null);
  const covered = measured.filter(({ isCovered }) => isCovered).length;
  return [`${covered} of ${measured.length} intervals cover the truth.`];
}

/** The verdicts that change how the table is to be read, in two lines at most, and where there are more. */
export function remarks({ verdicts }: Analysis, where: string): string[] {
  const all = verdicts.filter(({ changesReading }) => changesReading);
  const [first, second, ...more] = all.map(asRemark);
  const last = second && more.length > 0 ? `${second} ${more.length} more: ${where}.` : second;
  return [first, last].filter((line) => line !== undefined);
}

/** What was seen, and what to do about it, after a † if that stands on a row. */
export function asRemark({ message, remedy, changesReading, scenario }: Verdict): string {
  return `${changesReading && scenario !== null ? '† ' : ''}${message}. ${remedy}.`;
}

/** How it was measured, one line each: the load, the machine, what was proved, and whether the columns agree. */
export function methodNotes(analysis: Analysis): string[] {
  const { configuration: how, pairs, pinning, keepAwake, cpuClock, environment } = analysis.run;
  const slices = (count: number) => `${counted(count, 'slice')} of ${how.sliceSeconds} s`;
  const alternating = `${slices(how.alternatingSlices)} with ${counted(how.connections, 'connection')} on one server at a time`;
  const duets = `${slices(how.duetSlices)} with ${counted(how.duetConnections, 'connection')} on each of both at once`;
  const packages = Object.entries(environment.packages).map(([name, version]) => `${name} ${version}`);
  return [
    `Each pair: ${[how.alternatingSlices > 0 && alternating, how.duetSlices > 0 && duets].filter(Boolean).join(', ')}.`,
    `${pairs.measured} of ${counted(pairs.planned, 'pair')} measured, in random order (seed ${how.seed}).`,
    'missing' in pinning
      ? `Cores are not pinned: ${pinning.missing}.`
      : `Server on core ${pinning.serverCore}, load tool on ${pinning.toolCores}.`,
    'missing' in keepAwake
      ? `Idle cores could sleep: ${keepAwake.missing}.`
      : `Idle cores were kept awake by ${keepAwake.how}.`,
    'missing' in cpuClock ? `CPU time was not read: ${cpuClock.missing}.` : `CPU time by ${cpuClock.name}.`,
    ...proved(analysis),
    ...agreement(analysis),
    ...analysis.suite.skipped.map(({ scenario, reason }) => `${scenario} was skipped: ${reason}.`),
    `${[environment.kernel, runtime(analysis), ...packages].join(', ')}.`,
  ];
}

/** The load tool's command for each scenario, as a shell reads it back. */
export function commands({ tasks }: Analysis): { title: string; command: string }[] {
  const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : $.escape(word));
  return tasks.flatMap((task) =>
    rowsOf(task)
      .filter(({ command }) => command.length > 0)
      .map(({ title, command }) => ({
        title: tasks.length > 1 ? `${task.title}: ${title}` : title,
        command: command.map(quoted).join(' '),
      })),
  );
}

function proved({ proofs }: Analysis): string[] {
  if (proofs.length === 0) return [];
  const requests = [...new Set(proofs.map((proof) => proof.requests))].join(' or ');
  const spans = proofs.map((proof) => `${proof.title} ${proof.spans / proof.requests}`).join(', ');
  return [
    `Before measuring, each server got ${requests} requests and exported exactly what its level claims. Spans per request: ${spans}.`,
  ];
}

/** Claimed of the rows for which it holds, and of no others. */
function agreement({ tasks }: Analysis): string[] {
  const rows = tasks.flatMap(({ title: task, rows }) => rows.map((row) => ({ ...row, task })));
  const agreeing = rows.filter((row) => row.agreement?.verdict === 'agrees');
  const titles = agreeing.map(({ task, title }) => (tasks.length > 1 ? `${task}: ${title}` : title));
  const which = agreeing.length === rows.length ? 'every test' : titles.join(', ');
  return agreeing.length === 0 ? [] : [`The change in ms agrees with the change of CPU per request for ${which}.`];
}

function runtime({ run }: Analysis): string {
  const { name, version } = run.environment.runtime;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${version}`;
}
