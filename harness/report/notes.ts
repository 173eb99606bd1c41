import { max, mean } from 'simple-statistics';
import type { Run } from '../analysis/analysis.ts';
import type { Quantity } from '../analysis/figures.ts';
import { holdsZero, isBounded } from '../analysis/interval.ts';
import { isOfRevisions, rowsOf, serversOf } from '../analysis/rows.ts';
import { environmentNotes } from '../result/environment-notes.ts';
import { faultText } from '../result/faults.ts';
import type { Pair } from '../result/schema.ts';
import { counted, quoteCommand } from '../words/text.ts';
import { asPercent } from '../words/units.ts';
import type { Form } from './columns.ts';

/** How the figures of the first table came about. Of a calibration first how many intervals hold the true cost. */
export function howMeasured(run: Run, form: Form): string[] {
  const isDue = run.header.tool.latencyFrom === 'due';
  const latency = `Latency counts from when a request was ${isDue ? 'due' : 'sent, without the time it waited to be sent'}.`;
  const sentences = [whatIsShown(run, form), form === 'rate' && latency, withWhat(run)]
    .filter(Boolean)
    .join(' ');
  const errors = run.tasks.flatMap(rowsOf).flatMap(({ costError }) => costError ?? []);
  const known = form === 'calibration' ? errors.filter(isBounded) : [];
  const coverage = `${known.filter(holdsZero).length} of ${known.length} intervals hold the true cost.`;
  return known.length > 0 ? [coverage, sentences] : [sentences];
}

/** How many pairs, and the load tool, runtimes, machine and date. */
export function withWhat(run: Run): string {
  const { tool, environment, startedAt } = run.header;
  // A row has fewer only if the run was stopped, of which a warning tells.
  const pairs = max([0, ...run.tasks.flatMap(rowsOf).map((row) => row.pairs.length)]);
  const recording = provenServers(run).filter(
    ({ proof: { spans, metrics } }) => spans > 0 || metrics.length > 0,
  );
  const modes = new Set(
    recording.map((each) => (each.export === 'none' ? 'spans not exported' : 'spans exported')),
  );
  const facts = [
    `${counted(pairs, 'pair')} of fresh servers per row`,
    ...(modes.size === 1 ? modes : []),
    `${tool.name} ${tool.version}${tool.host === null ? '' : ` on ${tool.host}`}`,
    ...[
      ...runtimes(run),
      environment.cpu,
      counted(environment.cores, 'core'),
      startedAt.slice(0, 10),
    ],
  ];
  return `${once(facts)}.`;
}

/** The columns, and how their intervals are to be read. Empty if nothing was measured. */
function whatIsShown(run: Run, form: Form): string {
  const has = (cost: Quantity) => run.tasks.flatMap(rowsOf).some(({ change }) => change[cost]);
  const common = connections(run);
  const rates = run.tasks.map(({ rate, rateShare }) => {
    const share =
      rateShare === null ? '' : ` (${asPercent(rateShare)} of what the baseline can do)`;
    return `${rate} requests/s${share}`;
  });
  const columns = [
    ...(form === 'docs' && has('latencyUs') ? [`mean latency${common && ` at ${common}`}`] : []),
    ...(has('cpuUs') ? [`server CPU${form === 'rate' ? ` at ${once(rates)}` : ''}`] : []),
  ].join(', and ');
  const paced =
    form === 'docs' || form === 'matrix' ? run.tasks.filter(({ rate }) => rate !== null) : [];
  const waiting = paced.map(
    ({ title, rate }) => ` ${title}: at ${rate} requests/s, where latency is mostly waiting.`,
  );
  const shown = `Each scenario minus the baseline: ${columns}. ± is a 95 % interval; n.s. means no significant difference.`;
  return columns && [shown, ...waiting].join('');
}

/** Of the load tool, on a server alone; empty if not all tasks have the same. */
function connections({ tasks }: Run): string {
  const [common = 0, ...others] = new Set(tasks.map((task) => task.connections));
  return others.length > 0 ? '' : counted(common, 'connection');
}

/** How it was measured, one line each: the load, the machine, what was proved, and what was skipped. */
export function methodNotes(run: Run): string[] {
  const { configuration: how, pinning, keepAwake, environment, tool, suite } = run.header;
  const turns = `${counted(how.alternatingSlices, 'alternating slice')} with ${connections(run) || 'the connections of its task'}`;
  const duets = `${counted(how.duetSlices, 'duet slice')} with half of them on each server`;
  const packages = suite.scenarios.flatMap((scenario) =>
    Object.entries(scenario.packages).map((each) => each.join(' ')),
  );
  const proven = provenServers(run);
  const proved = proven.map(({ title, proof }) => `${title} ${proof.spans / proof.requests}`);
  const governor = environment.frequencyGovernor ?? 'performance';
  const seconds = run.tasks
    .flatMap(rowsOf)
    .flatMap(({ pairs }) => pairs.map((pair) => pair.seconds));
  const took = (part: keyof Pair['seconds']) =>
    `${mean(seconds.map((each) => each[part])).toFixed(1)} s`;
  const notes = [
    `Each pair: ${turns}, ${duets}; a slice is ${how.sliceSeconds} s, or longer if answers are slow.`,
    seconds.length > 0 &&
      `A pair took ${took('start')} to start and check, ${took('warmUp')} to warm up, ${took('slices')} for slices and their check, and ${took('stop')} to stop.`,
    `${run.pairs.measured} of ${counted(run.pairs.planned, 'pair')} measured, in random order (seed ${how.seed}).`,
    'missing' in pinning
      ? `Cores are not pinned: ${pinning.missing}.`
      : `Server on core ${pinning.serverCore}, load tool on ${tool.host ?? `core ${pinning.toolCores}`}.`,
    services(run),
    'missing' in keepAwake
      ? `Idle cores could sleep: ${keepAwake.missing}.`
      : `Cores kept awake by ${keepAwake.how}.`,
    run.tasks.some(({ baseline }) => baseline.figures?.busyShare === null) &&
      'No clock told the CPU time of servers.',
    governor !== 'performance' &&
      `Cores change their frequency (governor ${governor}). To prevent it: cpupower frequency-set -g performance.`,
    ...run.tasks.map(
      ({ prefix, command }) => command.length > 0 && `${prefix}Load: ${quoteCommand(command)}`,
    ),
    proved.length > 0 && `Proved before measuring, spans per request: ${once(proved)}.`,
    ...new Set(
      proven.flatMap(({ title, proof }) => proof.notes.map((note) => `${title}: ${note}.`)),
    ),
    ...environmentNotes(environment),
    unprobed(run),
    ...suite.skipped.map(
      ({ scenario, fault }) =>
        `${scenario} was skipped: ${faultText({ ...fault, scenario: null })}.`,
    ),
    `${once([environment.kernel, ...runtimes(run), ...packages])}.`,
  ];
  return notes.filter((note) => note !== false);
}

const once = (names: string[]) => [...new Set(names)].join(', ');

/** The scenarios of two revisions have the same titles in all tasks. */
function provenServers({ tasks, header }: Run) {
  const isLabelled = isOfRevisions(header.suite);
  return tasks.flatMap(serversOf).flatMap(({ title, label, proof, export: mode }) => {
    return proof ? [{ title: isLabelled ? label : title, proof, export: mode }] : [];
  });
}

/** Whose runtime does not load the probe. */
function unprobed({ tasks }: Run): string | false {
  const without = tasks
    .flatMap(serversOf)
    .filter(({ figures }) => figures?.eventLoopDelayUs === null);
  const titles = once(without.map(({ title }) => title));
  return titles !== '' && `Event-loop delay needs a probe, which did not load in ${titles}.`;
}

/** How much of the load tool's cores the suite's services took at most in an alternating slice. */
function services({ tasks }: Run): string | false {
  const slices = tasks
    .flatMap(rowsOf)
    .flatMap(({ pairs }) => pairs.flatMap(({ alternating }) => alternating));
  const sides = slices.flatMap(({ baseline, scenario }) => [baseline, scenario]);
  const share = max([
    0,
    ...sides.map(({ servicesCpuNs = 0, seconds }) => servicesCpuNs / 1e9 / (seconds || 1)),
  ]);
  const seen = `They take up to ${asPercent(share)} of a core`;
  return share > 0 && `The suite's services run on the load tool's cores. ${seen}.`;
}

function runtimes({ header: { suite } }: Run): string[] {
  const all = suite.scenarios.flatMap(({ runtime }) => runtime ?? []);
  return all.map(
    ({ name, version }) => `${name.charAt(0).toUpperCase()}${name.slice(1)} ${version}`,
  );
}
