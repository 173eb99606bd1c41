import { max, mean } from 'simple-statistics';
import { untilText } from '../analysis/aims.ts';
import type { Run } from '../analysis/analysis.ts';
import { closedConnectionsIn } from '../analysis/closed-connections.ts';
import { rowsWithNoiseFloor, serversOf } from '../analysis/rows.ts';
import { MIN_COST_TO_BE_ALONE } from '../pair/cpu-slices.ts';
import { environmentNotes } from '../result/environment-notes.ts';
import { faultText } from '../result/faults.ts';
import type { EndReason, Pair } from '../result/schema.ts';
import { counted, quoteCommand } from '../words/text.ts';
import { asPercent } from '../words/units.ts';
import { connectionsText, listOnce, provenServers, runtimeTexts } from './run-facts.ts';

/** Returns some lines of the list; none if there is nothing to say. */
type Note = (run: Run) => string[];

/**
 * What the full report says of how it was measured, in this order. To add a note, add a function.
 */
const NOTES: readonly Note[] = [
  slicesNote,
  slopeNote,
  secondsNote,
  lifeNote,
  pairsNote,
  coresNote,
  servicesNote,
  connectionsNote,
  idleCoresNote,
  clockNote,
  governorNote,
  loadNotes,
  proofNote,
  proofDetailNotes,
  ({ header }) => environmentNotes(header.environment),
  probeNote,
  skippedNotes,
  softwareNote,
  commitNote,
];

/** That share in words: the compiler refuses one that has none here. */
const MIN_COST_TEXT = { 0.1: 'a tenth' }[MIN_COST_TO_BE_ALONE];

/** How many standard deviations hold 95 % of a normal distribution, on either side. */
const NORMAL_FACTOR = 1.96;

/** Returns how it was measured, one line each. */
export function methodNotes(run: Run): string[] {
  return NOTES.flatMap((note) => note(run));
}

function slicesNote(run: Run): string[] {
  const { alternatingSlices, duetSlices, sliceSeconds } = run.header.configuration;
  const alternating = counted(alternatingSlices, 'alternating slice');
  const connections = connectionsText(run) || 'the connections of its task';
  const duets = counted(duetSlices, 'duet slice');
  const hasTurns = pairsIn(run).some(({ turns }) => turns.length > 0);
  const turns = hasTurns
    ? `, or, for rows that cost more than ${MIN_COST_TEXT} of the baseline, turns of as long with all of them`
    : '';
  // Of older files, the same alternating slices tell it, and there are duets beside them.
  const hasMore = pairsIn(run).some(
    ({ cpuFrom, duets: own }) => cpuFrom === 'alternating' && own.length === 0,
  );
  const which = hasTurns
    ? 'such rows at a steady rate'
    : `rows at a steady rate that cost more than ${MIN_COST_TEXT} of the baseline`;
  const more = hasMore ? `, or, for ${which}, as many more alternating slices` : '';
  return [
    `Each pair: ${alternating} with ${connections}, ${duets} with half of them on each server${turns}${more}; ` +
      `a slice is ${sliceSeconds} s, or longer if answers are slow.`,
  ];
}

/** The slope with the bounds between which it lies with 95 %. */
function slopeNote({ slope }: Run): string[] {
  if (slope === null) return [];
  const half = NORMAL_FACTOR * Math.sqrt(slope.variance);
  const bounds = [slope.value - half, slope.value + half].map((each) => each.toFixed(1));
  return [
    'CPU per request is that at the mean speed of the run. Costs follow the baseline with the slope ' +
      `${slope.value.toFixed(2)} (${bounds.join(' to ')}): 0 if they stay, 1 if they grow as it does.`,
  ];
}

function secondsNote(run: Run): string[] {
  const seconds = pairsIn(run).map((pair) => pair.seconds);
  if (seconds.length === 0) return [];
  const meanText = (part: keyof Pair['seconds']) =>
    `${mean(seconds.map((each) => each[part])).toFixed(1)} s`;
  return [
    `A pair took ${meanText('start')} to start and check, ${meanText('warmUp')} to warm up, ` +
      `${meanText('slices')} for slices, and ${meanText('stop')} to check again and stop.`,
  ];
}

/** The life of a server ends with the slices: what is sent as it ends is not measured. */
function lifeNote(run: Run): string[] {
  const lives = pairsIn(run).map(({ seconds }) => seconds.warmUp + seconds.slices);
  if (lives.length === 0) return [];
  return [
    `The servers of a pair live for ${mean(lives).toFixed(0)} s: work by the clock that comes more ` +
      'rarely, such as sending metrics each 60 s, is no part of the figures. ' +
      'soak and --idle show it.',
  ];
}

/** Why a run for a precision ended. */
const END_TEXTS: Record<EndReason | 'stopped', string> = {
  complete: 'All pairs were measured.',
  known: 'All rows are known that well.',
  short: 'Some rows are not known that well, and got no more pairs.',
  time: 'The time was over before all rows were known that well.',
  failed: 'The run ended because the baseline failed.',
  stopped: 'The run was stopped before all rows were known that well.',
};

function pairsNote({ pairs, header }: Run): string[] {
  const { seed, pairs: leastPairs, mostPairs } = header.configuration;
  const until = untilText(header);
  if (until !== '')
    return [
      `${counted(pairs.measured, 'pair')} measured, in rounds of random order (seed ${seed}): ` +
        `from ${leastPairs} to ${mostPairs} a row, until it is ${until}. ` +
        END_TEXTS[header.endReason ?? 'stopped'],
    ];
  const planned = counted(pairs.planned ?? pairs.measured, 'pair');
  return [`${pairs.measured} of ${planned} measured, in random order (seed ${seed}).`];
}

function coresNote({ header: { pinning, tool } }: Run): string[] {
  if ('missing' in pinning) return [`Cores are not pinned: ${pinning.missing}.`];
  const toolPlace = tool.host ?? `core ${pinning.toolCores}`;
  return [`Server on core ${pinning.serverCore}, load tool on ${toolPlace}.`];
}

/**
 * Says how much of the load tool's cores the suite's services took at most in an alternating slice.
 */
function servicesNote(run: Run): string[] {
  const slices = pairsIn(run).flatMap(({ alternating }) => alternating);
  const loads = slices.flatMap(({ baseline, scenario }) => [baseline, scenario]);
  const shares = loads.map(
    ({ servicesCpuNs = 0, seconds }) => servicesCpuNs / 1e9 / (seconds || 1),
  );
  const share = max([0, ...shares]);
  if (share === 0) return [];
  return [
    "The suite's services run on the load tool's cores. " +
      `They take up to ${asPercent(share)} of a core.`,
  ];
}

/** Names the servers that close connections as they announce it, which is a cost of theirs. */
function connectionsNote({ tasks }: Run): string[] {
  return tasks.flatMap(closedConnectionsIn).flatMap(({ server, requestsPerAnnounced }) => {
    if (requestsPerAnnounced === null) return [];
    const after =
      requestsPerAnnounced > 1 ? `some ${requestsPerAnnounced} requests` : 'each request';
    return [
      `${server.label} closes a connection after ${after}, and announces it: ` +
        'to open another is part of its figures.',
    ];
  });
}

function idleCoresNote({ header: { keepAwake } }: Run): string[] {
  return 'missing' in keepAwake
    ? [`Idle cores could sleep: ${keepAwake.missing}.`]
    : [`Cores kept awake by ${keepAwake.how}.`];
}

function clockNote({ tasks }: Run): string[] {
  const hasNoClock = tasks.some(({ baseline }) => baseline.figures?.busyShare === null);
  return hasNoClock ? ['No clock told the CPU time of servers.'] : [];
}

function governorNote({ header }: Run): string[] {
  const governor = header.environment.frequencyGovernor ?? 'performance';
  if (governor === 'performance') return [];
  return [
    `Cores change their frequency (governor ${governor}). ` +
      'To prevent it: cpupower frequency-set -g performance.',
  ];
}

function loadNotes({ tasks }: Run): string[] {
  return tasks
    .filter(({ command }) => command.length > 0)
    .map(({ prefix, command }) => `${prefix}Load: ${quoteCommand(command)}`);
}

function proofNote(run: Run): string[] {
  const spans = provenServers(run).map(
    ({ title, proof }) => `${title} ${proof.spans / proof.requests}`,
  );
  if (spans.length === 0) return [];
  return [`Proved before measuring, spans per request: ${listOnce(spans)}.`];
}

function proofDetailNotes(run: Run): string[] {
  const notes = provenServers(run).flatMap(({ title, proof }) =>
    proof.notes.map((note) => `${title}: ${note}.`),
  );
  return [...new Set(notes)];
}

/** Names the servers whose runtime does not load the probe. */
function probeNote({ tasks }: Run): string[] {
  const without = tasks
    .flatMap(serversOf)
    .filter(({ figures }) => figures?.eventLoopDelayUs === null);
  if (without.length === 0) return [];
  const titles = listOnce(without.map(({ title }) => title));
  return [`Event-loop delay needs a probe, which did not load in ${titles}.`];
}

function skippedNotes({ header }: Run): string[] {
  return header.suite.skipped.map(
    ({ scenario, fault }) => `${scenario} was skipped: ${faultText({ ...fault, scenario: null })}.`,
  );
}

function softwareNote(run: Run): string[] {
  const packages = run.header.suite.scenarios.flatMap((scenario) =>
    Object.entries(scenario.packages).map(([name, version]) => `${name} ${version}`),
  );
  return [`${listOnce([run.header.environment.kernel, ...runtimeTexts(run), ...packages])}.`];
}

/** A result that was sent may be measured outside a clone. */
function commitNote({ header: { environment } }: Run): string[] {
  const { gitRevision } = environment;
  return gitRevision === null ? [] : [`Commit of the suite's folder: ${gitRevision}.`];
}

function pairsIn({ tasks }: Run): Pair[] {
  return tasks.flatMap(rowsWithNoiseFloor).flatMap(({ pairs }) => pairs);
}
