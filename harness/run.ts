import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { pairsNeeded } from './analysis/analysis.ts';
import { Interruption, unlessStopped } from './machine/interruption.ts';
import { keepCoresAwake } from './machine/keep-awake.ts';
import { idleMsPerSecond } from './pair/idle.ts';
import { type PlannedPair, planPairs } from './pair/order.ts';
import { measurePair } from './pair/pair.ts';
import { RIG } from './pair/rig.ts';
import { NO_ANSWER } from './pair/slices.ts';
import { startUpsMs } from './pair/starts.ts';
import type { Plan } from './plan.ts';
import { defaultResultFile, readable, writeResult } from './result/file.ts';
import { pairSchema } from './result/pair-schema.ts';
import { type Result, resultSchema, SCHEMA_VERSION } from './result/schema.ts';
import { concealing } from './summary.ts';
import { orProblem, Problem, problemLine } from './words/errors.ts';
import { CALLED, complain, EXIT, remove } from './words/output.ts';
import { createProgress } from './words/progress.ts';
import { counted, shellWords } from './words/text.ts';

/** Nobody waits for more pairs of each scenario. */
const MAX_PAIRS = 10_000;
/** A server that hangs goes on to hang. A load tool, or its host, may go away once, and that costs one pair alone. */
const MAX_SILENT_PAIRS = 2;
/** Starting two servers and checking their answers, in seconds: for the time left alone. */
const START_SECONDS = 0.8;
/** Most servers warm up in this time; slow ones have a limit of their suite. */
const USUAL_WARMUP_SECONDS = 5;

export interface Outcome {
  result: Result;
  /** Undefined if nothing was measured. */
  file: string | undefined;
  /** Why the run ended before its plan did. */
  stoppedBy: Error | undefined;
}

/** The file for the result: known before anything is started, so that one that can't be written costs no time. @throws Problem */
export async function writableFile(out: string | undefined, suite: string): Promise<string> {
  const file = out ?? defaultResultFile(new Date(), suite);
  if (out && existsSync(file)) throw new Problem(`${file} exists already`, 'Choose another file with --out');
  const trial = `${file}.${crypto.randomUUID()}`;
  const cause = `The result can't be written to ${file}`;
  await orProblem(() => Bun.write(trial, ''), cause, 'Choose another file with --out');
  remove(trial);
  return file;
}

/**
 * Measures according to plan. The file, or one beside it if that is taken, holds every pair that was completed, at any time.
 * `earlier`: what an interrupted run of this plan left in that file, which goes on.
 */
export async function run(plan: Plan, wanted: string, rig = RIG, earlier?: Result): Promise<Outcome> {
  const empty = {
    ...({ kind: 'tracetax', schemaVersion: SCHEMA_VERSION, endedAt: null, stoppedBy: null } as const),
    ...{ ...plan.header, startUps: [], idles: [], pairs: [] },
  };
  const conceal = concealing(plan.rows);
  const begun = earlier && { ...structuredClone(earlier), endedAt: null, stoppedBy: null };
  const result = begun ?? conceal(readable(resultSchema, empty, 'What is known of the run'));
  let file = earlier ? wanted : '';
  const save = () => {
    file = writeResult(file || wanted, result, file === '');
  };
  const stoppedBy = await unlessStopped(async () => {
    using _ = keepCoresAwake(plan.keepAwake);
    save();
    await measureAll(plan, result, save, rig);
  });
  result.endedAt = new Date().toISOString();
  Object.assign(result, conceal({ stoppedBy: stoppedBy?.message ?? null }));
  const hasMeasured = result.pairs.length > 0;
  const unsaved = hasMeasured ? await unlessStopped(async () => save()) : undefined;
  if (file && !hasMeasured) remove(file);
  return { result, file: hasMeasured ? file : undefined, stoppedBy: stoppedBy ?? unsaved };
}

/** Of start-ups, the planned pairs, with as many more as `--precision` needs, and standing costs, what lacks. @throws Problem */
async function measureAll(plan: Plan, result: Result, save: () => void, rig: typeof RIG): Promise<void> {
  const { rows } = plan;
  const { pairs, seed, starts, idleSeconds } = plan.header.configuration;
  const conceal = concealing(rows);
  const lacking = (done: { task: string; scenario: string }[], isWanted: boolean) =>
    rows.filter(
      ({ task, scenario }) =>
        isWanted && !done.some((each) => each.task === task.name && each.scenario === scenario.name),
    );
  const starting = lacking(result.startUps, starts > 0);
  const idling = lacking(result.idles, idleSeconds > 0);
  const planned = planPairs(rows, pairs, seed);
  if (result.pairs.length >= planned.length) planned.push(...morePairs(plan, result));
  const pairStep = ({ row }: PlannedPair) => ({ kind: row.label, seconds: pairSeconds(plan) });
  const steps = [
    ...starting.map(() => ({ kind: 'start-up', seconds: 2 * starts * START_SECONDS })),
    ...planned.slice(result.pairs.length).map(pairStep),
    ...idling.map(() => ({ kind: 'idle', seconds: START_SECONDS + idleSeconds })),
  ];
  using progress = createProgress(steps);
  for (const row of starting) {
    progress.step(`start-up: ${row.label}`, true);
    const ms = await startUpsMs(plan, row, rig);
    result.startUps.push({ task: row.task.name, scenario: row.scenario.name, ms });
  }
  const append = async (pair: PlannedPair, at: number) => {
    progress.step(`pair ${1 + Math.floor(at / rows.length)}: ${pair.row.label}`, true);
    const measured = await measurePair(plan, pair, rig);
    result.pairs.push(conceal(readable(pairSchema, measured, `A pair of ${pair.row.label}`)));
    save();
    return measured;
  };
  /** How many of the last pairs of a row, one after the other, had a slice without an answer. */
  const silent = new Map<PlannedPair['row'], number>();
  const earlier = [...result.pairs];
  // The list may grow.
  for (let at = 0; at < planned.length; at++) {
    const pair = planned[at] as PlannedPair;
    const silentPairs = silent.get(pair.row) ?? 0;
    if (silentPairs >= MAX_SILENT_PAIRS) steps.splice(steps.map(({ kind }) => kind).lastIndexOf(pair.row.label), 1);
    else {
      const measured = earlier.shift() ?? (await append(pair, at));
      silent.set(pair.row, measured.faults.some(({ what }) => what === NO_ANSWER) ? silentPairs + 1 : 0);
    }
    if (at + 1 === rows.length * pairs && planned.length === at + 1) {
      const more = morePairs(plan, result);
      planned.push(...more);
      steps.splice(steps.length - idling.length, 0, ...more.map(pairStep));
    }
  }
  for (const row of idling) {
    progress.step(`without requests: ${row.label}`, true);
    const cpuMsPerSecond = await idleMsPerSecond(plan, row, rig);
    if (cpuMsPerSecond) result.idles.push({ task: row.task.name, scenario: row.scenario.name, cpuMsPerSecond });
    save();
  }
}

/** What `--precision` needs beyond the planned pairs: decided once. @throws Problem if nobody waits for that */
function morePairs({ rows, header }: Plan, result: Result): PlannedPair[] {
  const { pairs, seed } = header.configuration;
  const needed = pairsNeeded({ ...result, pairs: result.pairs.slice(0, rows.length * pairs) });
  if (needed <= MAX_PAIRS) return planPairs(rows, needed - pairs, seed + 1);
  throw new Problem(`--precision would take ${needed} pairs of each scenario`, 'Ask for wider intervals');
}

/** How long the pairs of a run take, about, in seconds. What comes before them is short. */
export function plannedSeconds(plan: Plan): number {
  const { pairs, idleSeconds } = plan.header.configuration;
  return plan.rows.length * (pairs * pairSeconds(plan) + idleSeconds);
}

function pairSeconds({ header }: Plan): number {
  const { warmupSeconds, alternatingSlices, duetSlices, sliceSeconds } = header.configuration;
  const warmUp = Math.min(warmupSeconds, USUAL_WARMUP_SECONDS);
  return START_SECONDS + warmUp + (2 * alternatingSlices + duetSlices) * sliceSeconds;
}

/** Says where the result is and what went wrong. `isStrict`: any warning is a failure. Returns the exit status. */
export function conclude({ file, stoppedBy }: Outcome, warnings: { kind: string }[], isStrict: boolean): number {
  if (stoppedBy) complain(`tracetax: ${problemLine(stoppedBy) ?? `${stoppedBy.message}.`}`);
  const name = relative('', file ?? '');
  const seeAll = `${CALLED} report ${shellWords([name])} --format full`;
  complain(file ? `\nThe result is in ${name}. To see all of it: ${seeAll}` : 'Nothing was measured.');
  if (stoppedBy instanceof Interruption) return EXIT[stoppedBy.signal];
  const failing = warnings.filter(({ kind }) => isStrict || kind === 'invalid');
  if (isStrict && failing.length > 0) complain(`tracetax: --strict: ${counted(failing.length, 'warning')}.`);
  return stoppedBy || failing.length > 0 ? EXIT.failed : EXIT.done;
}
