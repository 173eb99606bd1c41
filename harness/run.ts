import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { Interruption, unlessStopped } from './machine/interruption.ts';
import { ifThere } from './machine/read.ts';
import { planPairs } from './pair/order.ts';
import { measurePair } from './pair/pair.ts';
import { isSilent } from './pair/under-load.ts';
import { measureIdle, measureStartUps } from './pair/without-load.ts';
import { type Plan, type PlannedRow, secondsOf } from './plan.ts';
import { defaultResultFile, readable, writeResult } from './result/file.ts';
import { pairSchema } from './result/pair-schema.ts';
import { type Result, resultSchema, SCHEMA_VERSION } from './result/schema.ts';
import { concealing } from './summary.ts';
import { orProblem, Problem, problemLine } from './words/errors.ts';
import { CALLED, complain, EXIT, remove } from './words/output.ts';
import { createProgress, type Step } from './words/progress.ts';
import { counted, shellWords } from './words/text.ts';

/** A server that hangs goes on to hang. A load tool, or its host, may go away once: its row is invalid, others are not. */
const MAX_SILENT_PAIRS = 2;

export type Outcome = Awaited<ReturnType<typeof run>>;

/** The file for the result: known before anything is started, so that one that can't be written costs no time. @throws Problem */
export async function writableFile(out: string | undefined, suite: string): Promise<string> {
  const file = out ?? defaultResultFile(new Date(), suite);
  if (out && existsSync(file)) throw new Problem(`${file} exists already`, 'Choose another file with --out');
  await orProblem(() => tryToWrite(file), `The result can't be written to ${file}`, 'Choose another file with --out');
  return file;
}

/** Leaves nothing behind, no folder either: the run may fail before it has a result. @throws if it can't be written. */
function tryToWrite(file: string): void {
  const folder = dirname(resolve(file));
  const trial = `${file}.${crypto.randomUUID()}`;
  const made = mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(trial, '');
  } finally {
    remove(trial);
    // One that another run uses by now is not empty, and stays.
    for (let each = folder; made && each.startsWith(made); each = dirname(each)) ifThere(() => rmdirSync(each));
  }
}

/**
 * Measures what the plan has, after `earlier` if that run goes on. The file, or one beside it if that is taken, holds every
 * completed pair at any time. Returns it, undefined if nothing was measured, and why the run ended before its plan did.
 */
export async function run(plan: Plan, wanted: string, earlier?: Result) {
  const conceal = concealing(plan.rows);
  const empty = { ...plan.header, startUps: [], idles: [], pairs: [] };
  const form = { kind: 'tracetax', schemaVersion: SCHEMA_VERSION, endedAt: null, stoppedBy: null } as const;
  const begun = { ...empty, ...earlier, ...form };
  const result = conceal(readable(resultSchema, begun, 'What is known of the run'));
  let file = earlier ? wanted : '';
  const save = () => {
    file = writeResult(file || wanted, result, file === '');
  };
  const stoppedBy = await unlessStopped(async () => {
    save();
    await measureAll(plan, result, save);
  });
  result.endedAt = new Date().toISOString();
  Object.assign(result, conceal({ stoppedBy: stoppedBy?.message ?? null }));
  const { pairs, startUps, idles } = result;
  const hasMeasured = pairs.length + startUps.length + idles.length > 0;
  const unsaved = hasMeasured ? await unlessStopped(async () => save()) : undefined;
  if (file && !hasMeasured) remove(file);
  return { result, file: hasMeasured ? file : undefined, stoppedBy: stoppedBy ?? unsaved };
}

/** How a result names a row. */
type OfRow = { task: string; scenario: string };

/** What a run does, one after the other: start-ups, a pair, or a time without requests, of one row. */
interface Job extends Step {
  name: string;
  /** An earlier run may have done it. */
  isNeedless: () => boolean;
  work: () => Promise<unknown>;
}

/** Of start-ups, pairs and standing costs what lacks. @throws Problem */
async function measureAll(plan: Plan, result: Result, save: () => void): Promise<void> {
  const { rows } = plan;
  const { pairs, seed, starts, idleSeconds } = plan.header.configuration;
  const [conceal, seconds] = [concealing(rows), secondsOf(plan)];
  const isOf = (row: PlannedRow) => (done: OfRow) => done.task === row.task.name && done.scenario === row.scenario.name;
  const starting = (starts > 0 ? rows : []).map((row) => ({
    ...{ kind: 'start-up', name: `start-up: ${row.label}`, seconds: seconds.startUps },
    isNeedless: () => result.startUps.some(isOf(row)),
    work: async () => result.startUps.push(await measureStartUps(plan, row)),
  }));
  const pairing = planPairs(rows, pairs, seed).map((pair, at) => {
    const { label } = pair.row;
    const round = Math.floor(at / rows.length);
    const own = () => result.pairs.filter(isOf(pair.row));
    return {
      ...{ kind: label, name: `pair ${round + 1}: ${label}`, seconds: seconds.pair },
      isNeedless: () => own().length > round || isGivenUp(own()),
      work: async () => {
        const measured = await measurePair(plan, pair);
        result.pairs.push(conceal(readable(pairSchema, measured, `A pair of ${label}`)));
      },
    };
  });
  const idling = (idleSeconds > 0 ? rows : []).map((row) => ({
    ...{ kind: 'without requests', name: `without requests: ${row.label}`, seconds: seconds.idle },
    isNeedless: () => result.idles.some(isOf(row)),
    work: async () => result.idles.push(...(await measureIdle(plan, row))),
  }));
  const jobs: Job[] = [...starting, ...pairing, ...idling].filter((job) => !job.isNeedless());
  using progress = createProgress(jobs);
  // A row may be given up meanwhile.
  for (const job of [...jobs])
    if (job.isNeedless()) jobs.splice(jobs.indexOf(job), 1);
    else {
      progress.step(job.name, true);
      await job.work();
      save();
    }
}

/** Whether the last pairs of a row, one after the other, had a slice without an answer. */
function isGivenUp(pairs: Result['pairs']): boolean {
  const last = pairs.slice(-MAX_SILENT_PAIRS);
  return last.length === MAX_SILENT_PAIRS && last.every(({ faults }) => isSilent(faults));
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
