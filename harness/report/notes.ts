import { type Analysis, exportModes } from '../analysis/analysis.ts';
import { holdsZero } from '../analysis/estimate.ts';
import type { Verdict } from '../analysis/finding.ts';
import { rowsOf } from '../analysis/task.ts';
import { asMs, asPercent } from '../analysis/units.ts';
import { formOf, shownCosts, shownVerdicts } from './tables.ts';
import { counted, shellWords } from './text.ts';

/** What a reader must know beside the tables: plain sentences, which every format escapes as it needs. */

/**
 * How the figures of the docs table came about, and what the suite says of them. Of a calibration first how many intervals
 * hold the true cost.
 */
export function howMeasured(analysis: Analysis): string[] {
  const { tool, environment, startedAt } = analysis.run;
  const counts = analysis.tasks.flatMap(rowsOf).flatMap(({ invalid, pairs }) => (invalid.length === 0 ? pairs : []));
  const [fewest, most] = [Math.min(...counts), Math.max(0, ...counts)];
  const [mode, ...otherModes] = exportModes(analysis);
  const facts = [
    `${fewest < most ? `${fewest} to ` : ''}${counted(most, 'pair')} of fresh servers per row`,
    ...(mode && otherModes.length === 0 ? [EXPORTS[mode]] : []),
    `${tool.name} ${tool.version}${tool.hosts ? ` on ${tool.hosts.join(' and ')}` : ''}`,
    ...[runtime(analysis), environment.cpu, counted(environment.cores, 'core'), startedAt.slice(0, 10)],
  ];
  const form = formOf(analysis);
  const latency = form === 'rate' && LATENCY_FROM[tool.latencyFrom ?? 'sent'];
  const sentences = [whatIsShown(analysis), latency, `${facts.join(', ')}.`];
  const errors = analysis.tasks.flatMap(rowsOf).flatMap(({ costError }) => costError ?? []);
  const coverage = `${errors.filter(holdsZero).length} of ${errors.length} intervals hold the true cost.`;
  const said = sentences.filter(Boolean).join(' ');
  return [...(form === 'calibration' ? [coverage] : []), said, ...analysis.suite.remarks];
}

/** The columns, and how their intervals are to be read. Empty if nothing was measured. */
function whatIsShown(analysis: Analysis): string {
  const { tasks } = analysis;
  const common = connections(analysis);
  const names = { latencyUs: `mean latency${common && ` at ${common}`}`, cpuUs: `server CPU${steadyRate(analysis)}` };
  const columns = shownCosts(analysis).map((cost) => names[cost]);
  const isAlone = tasks.flatMap(rowsOf).length <= tasks.length;
  const together = `95 % intervals that hold for all rows${tasks.length > 1 ? ' of a task' : ''} at once`;
  const intervals = `± gives ${isAlone ? 'the 95 % interval' : together}; ~ means no significant difference.`;
  return columns.length > 0 ? `Each test minus the baseline: ${columns.join(', and ')}. ${intervals}` : '';
}

/** Of the load tool, on a server alone; empty if not all tasks have the same. */
function connections({ tasks }: Analysis): string {
  const [common = 0, ...others] = new Set(tasks.map((task) => task.connections));
  return others.length > 0 ? '' : counted(common, 'connection');
}

/** Of a run at steady rates alone, what they were. */
function steadyRate(analysis: Analysis): string {
  if (formOf(analysis) !== 'rate') return '';
  const rates = analysis.tasks.map(({ rate, rateShare }) => {
    const share = rateShare === null ? '' : ` (${asPercent(rateShare)} of what the baseline can do)`;
    return `${rate} requests/s${share}`;
  });
  return ` at ${[...new Set(rates)].join(', ')}`;
}

/** How latency is to be read that was measured at a steady rate. */
const LATENCY_FROM = {
  due: 'Latency counts from when a request was due.',
  sent: 'Latency counts from when a request was sent, without the time it waited to be sent.',
};

/** What becomes of spans, of tests that all do the same. Of several ways their titles tell. */
const EXPORTS = { none: 'spans not exported', otlp: 'spans exported' };

/** The verdicts that change how the table is to be read, in two lines at most, and where there are more. */
export function remarks(analysis: Analysis, where: string): string[] {
  const all = shownVerdicts(analysis).map(asRemark);
  const more = all.length > 2 ? ` ${counted(all.length - 2, 'more warning')} ${where}.` : '';
  return all.slice(0, 2).map((remark, index) => (index === 1 ? remark + more : remark));
}

/** What was seen, and what to do about it, after a † if that stands on a row. */
export function asRemark({ message, remedy, changesReading, scenario }: Verdict): string {
  return `${changesReading && scenario !== null ? '† ' : ''}${message}. ${remedy}.`;
}

/** How it was measured, one line each: the load, the machine, what was proved, and whether the columns agree. */
export function methodNotes(analysis: Analysis): string[] {
  const { configuration: how, pairs, pinning, keepAwake, cpuClock, environment, tool } = analysis.run;
  const proved = analysis.proofs.map(({ title, spans, requests }) => `${title} ${spans / requests}`);
  const turns = `${counted(how.alternatingSlices, 'alternating slice')} with ${connections(analysis) || 'the connections of its task'}`;
  const duets = `${counted(how.duetSlices, 'duet slice')} with half of them on each server`;
  const packages = Object.entries(environment.packages).map(([name, version]) => `${name} ${version}`);
  return [
    `Each pair: ${turns}, ${duets}; a slice is ${how.sliceSeconds} s, or longer if answers are slow.`,
    `${pairs.measured} of ${counted(pairs.planned, 'pair')} measured, in random order (seed ${how.seed}).`,
    'missing' in pinning
      ? `Cores are not pinned: ${pinning.missing}.`
      : `Server on core ${pinning.serverCore}, load tool on ${tool.hosts?.join(' and ') ?? `core ${pinning.toolCores}`}.`,
    ...sinks(analysis),
    'missing' in keepAwake ? `Idle cores could sleep: ${keepAwake.missing}.` : `Cores kept awake by ${keepAwake.how}.`,
    'missing' in cpuClock ? `CPU time was not read: ${cpuClock.missing}.` : `CPU time read by ${cpuClock.name}.`,
    ...commands(analysis),
    ...hosts(analysis),
    ...(proved.length > 0 ? [`Proved before measuring, spans per request: ${proved.join(', ')}.`] : []),
    ...agreement(analysis),
    ...analysis.suite.skipped.map(({ scenario, reason }) => `${scenario} was skipped: ${reason}.`),
    `${[environment.kernel, runtime(analysis), ...packages].join(', ')}.`,
  ];
}

/** The load tool's command for one server of each task, as a shell reads it back: for the others the port differs. */
function commands({ tasks }: Analysis): string[] {
  return tasks.flatMap((task) => {
    const command = rowsOf(task).find((row) => row.command.length > 0)?.command;
    return command ? [`${task.prefix}Load: ${shellWords(command)}`] : [];
  });
}

/** What each load host saw of each server, if the load came from others: in the table is the worst of them. */
function hosts({ tasks }: Analysis): string[] {
  const servers = tasks.flatMap((task) => [task.baseline, ...task.rows]);
  return servers.flatMap(({ label, figures }) =>
    (figures?.latencyUs?.hosts ?? []).map(({ host, p50, p95, p99 }) => {
      const told = Object.entries({ p50, p95, p99 });
      const seen = told.flatMap(([name, us]) => (us === null ? [] : `${name} ${asMs(us)}`));
      return `${host} saw of ${label}: ${seen.join(', ')}.`;
    }),
  );
}

function sinks({ tasks, run: { pinning } }: Analysis): string[] {
  const exported = tasks.flatMap(rowsOf).flatMap(({ figures }) => figures?.exported ?? []);
  if (exported.length === 0) return [];
  const core = 'sinkCore' in pinning ? `core ${pinning.sinkCore}` : "the load tool's cores";
  const shares = exported.flatMap(({ sinkShare }) => sinkShare ?? []);
  const busy = shares.length > 0 ? ` It takes up to ${asPercent(Math.max(...shares))} of a core.` : '';
  return [`A sink on ${core} receives the spans.${busy}`];
}

/** Claimed of the rows for which it holds, and of no others. */
function agreement({ tasks }: Analysis): string[] {
  const rows = tasks.flatMap((task) => task.rows);
  const agreeing = rows.filter((row) => row.agreement?.verdict === 'agrees').map(({ label }) => label);
  const which = agreeing.length === rows.length ? 'every test' : agreeing.join(', ');
  return agreeing.length === 0 ? [] : [`The change in ms agrees with the change of CPU per request for ${which}.`];
}

function runtime({ run }: Analysis): string {
  const { name, version } = run.environment.runtime;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${version}`;
}
