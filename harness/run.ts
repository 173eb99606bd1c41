import { existsSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Interruption, unlessStopped } from './machine/interruption.ts';
import { planPairs } from './pair/order.ts';
import { measurePair } from './pair/pair.ts';
import { isSilent } from './pair/slices.ts';
import { measureIdle, measureStartUps } from './pair/starts.ts';
import type { Plan, PlannedRow } from './plan.ts';
import { defaultResultFile, readable, writeResult } from './result/file.ts';
import { pairSchema } from './result/pair-schema.ts';
import { type Result, SCHEMA_VERSION } from './result/schema.ts';
import { concealed } from './summary.ts';
import { orProblem, Problem, problemLine } from './words/errors.ts';
import { CALLED, complain, EXIT, remove } from './words/output.ts';
import { createProgress } from './words/progress.ts';
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
  let folder = dirname(resolve(file));
  while (!existsSync(folder)) folder = dirname(folder);
  const trial = join(folder, `${basename(file)}.${crypto.randomUUID()}`);
  writeFileSync(trial, '');
  remove(trial);
}

/**
 * Measures what the plan has, after `earlier` if that run goes on. The file, or one beside it if that is taken, holds every
 * completed pair at any time. Returns it, undefined if nothing was measured, and why the run ended before its plan did.
 */
export async function run(plan: Plan, wanted: string, earlier?: Result) {
  const result: Result = structuredClone({
    ...{ ...plan.header, startUps: [], idles: [], pairs: [], ...earlier },
    ...{ kind: 'tracetax', schemaVersion: SCHEMA_VERSION, endedAt: null, stoppedBy: null },
  });
  let file = earlier ? wanted : '';
  const told = () => concealed(result, plan.secrets);
  const save = async () => {
    file = writeResult(file || wanted, told(), file === '');
  };
  const measuring = measureAll(plan, result, save);
  const stoppedBy = await unlessStopped(measuring);
  result.endedAt = new Date().toISOString();
  result.stoppedBy = stoppedBy?.message ?? null;
  const { pairs, startUps, idles } = result;
  const hasMeasured = pairs.length + startUps.length + idles.length > 0;
  const unsaved = hasMeasured ? await unlessStopped(save()) : undefined;
  if (file && !hasMeasured) remove(file);
  return { result: told(), file: hasMeasured ? file : undefined, stoppedBy: stoppedBy ?? unsaved };
}

/** Of start-ups, pairs and standing costs what lacks: an earlier run may have done some. @throws Problem */
async function measureAll(plan: Plan, result: Result, save: () => Promise<void>): Promise<void> {
  const { rows, seconds } = plan;
  const { pairs, seed, starts, idleSeconds } = plan.header.configuration;
  const isOf = (row: PlannedRow) => (done: { task: string; scenario: string }) =>
    done.task === row.task.name && done.scenario === row.scenario.name;
  await save();
  using progress = createProgress(seconds.all);
  for (const row of starts > 0 ? rows : []) {
    if (result.startUps.some(isOf(row))) {
      progress.skip(seconds.startUps);
      continue;
    }
    progress.step(`start-up: ${row.label}`, seconds.startUps);
    result.startUps.push(await measureStartUps(plan, row));
    await save();
  }
  for (const [at, pair] of planPairs(rows, pairs, seed).entries()) {
    const { label } = pair.row;
    const round = Math.floor(at / rows.length);
    const own = result.pairs.filter(isOf(pair.row));
    if (own.length > round || isGivenUp(own)) {
      progress.skip(seconds.pair);
      continue;
    }
    progress.step(`pair ${round + 1}: ${label}`, seconds.pair);
    const measured = await measurePair(plan, pair);
    result.pairs.push(readable(pairSchema, measured, `A pair of ${label}`));
    await save();
  }
  for (const row of idleSeconds > 0 ? rows : []) {
    if (result.idles.some(isOf(row))) continue;
    progress.step(`without requests: ${row.label}`, seconds.idle);
    result.idles.push(...(await measureIdle(plan, row)));
    await save();
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
