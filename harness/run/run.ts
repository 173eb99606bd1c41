import { existsSync, mkdtempSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { World } from '../pair/world.ts';
import type { Plan } from '../plan/plan.ts';
import { unlessStopped } from '../processes/interruption.ts';
import { defaultResultFile, stampOf, writeResult } from '../result/file.ts';
import { type Result, type ResultHeader, SCHEMA_VERSION } from '../result/schema.ts';
import { orProblem, Problem } from '../words/errors.ts';
import { removePath } from '../words/files.ts';
import { printToStderr } from '../words/output.ts';
import { measureAll } from './measure-all.ts';
import { redactorFor } from './redact-result.ts';

/*
 * This room measures a plan: which pair comes next, and the result file that holds every completed
 * pair at any time. A plan, a world and the file's name go in; an outcome comes out. How a pair is
 * measured belongs to `pair/`.
 */

/** What came of a run. */
export interface Outcome {
  /** As the file holds it: without secrets. */
  result: Result;
  file: string;
  /** Why the run ended before its plan did; undefined if it did not. */
  stoppedBy: Error | undefined;
}

/**
 * Measures what the plan has, after `earlier` if that run goes on, and returns what came of it. The
 * file holds every completed pair at any time. If its name is taken, one beside it is used; if
 * another run writes to it, the run ends with that.
 * @param stampAsRead that of the file of `earlier` as it was read
 * @throws whatever stopped the run, if nothing was measured
 */
export async function run(
  plan: Plan,
  world: World,
  wantedFile: string,
  earlier?: Result,
  stampAsRead?: string,
): Promise<Outcome> {
  const result = structuredClone(begunResult(plan.header, earlier));
  const redacted = redactorFor(plan.rows);
  let file = earlier ? wantedFile : undefined;
  let written = stampAsRead;
  if (file !== undefined && isOfAnotherRun(file, written))
    throw new Problem(
      `Another run writes to ${file}`,
      'Wait until it has ended, and then go on with it',
    );
  const save = async () => {
    const taken = file !== undefined && isOfAnotherRun(file, written) ? file : undefined;
    const isNew = file === undefined || taken !== undefined;
    file = writeResult(file ?? wantedFile, redacted(result), isNew);
    written = stampOf(file);
    if (taken !== undefined)
      throw new Problem(`Another run writes to ${taken}`, `What this one measured is in ${file}`);
  };
  // The first save waits until signals are heard: one that comes earlier then leaves no file.
  const measuring = Promise.resolve()
    .then(save)
    .then(async () => {
      result.endReason = await measureAll(plan, world, result, save);
    });
  const stoppedBy = await unlessStopped(measuring).catch((error: unknown) => {
    // Where a bug is, the file that holds what was measured is told, too.
    if (file !== undefined && !isEmpty(result)) printToStderr(`What was measured is in ${file}.`);
    throw error;
  });
  if (stoppedBy && isEmpty(result)) {
    if (file !== undefined && !isOfAnotherRun(file, written)) removePath(file);
    throw stoppedBy;
  }
  result.endedAt = new Date().toISOString();
  result.stoppedBy = stoppedBy?.message ?? null;
  const unsaved = await unlessStopped(save());
  return {
    result: redacted(result),
    file: file ?? wantedFile,
    stoppedBy: stoppedBy ?? unsaved,
  };
}

/**
 * Returns whether another run has written to the file since.
 * @param written its stamp as this run wrote it, or read it; undefined if nobody knows
 */
function isOfAnotherRun(file: string, written: string | undefined): boolean {
  const found = stampOf(file);
  return written !== undefined && found !== undefined && found !== written;
}

/** Returns a result to which nothing, or nothing more, was added yet. */
function begunResult(header: ResultHeader, earlier: Result | undefined): Result {
  const { isRanking } = header.configuration;
  return {
    ...header,
    startUps: [],
    idles: [],
    pairs: [],
    ...earlier,
    // The part that goes on may ask for a ranking that the first did not.
    configuration: { ...(earlier ?? header).configuration, isRanking },
    kind: 'tracetax',
    schemaVersion: SCHEMA_VERSION,
    endedAt: null,
    stoppedBy: null,
    endReason: null,
  };
}

function isEmpty({ pairs, startUps, idles }: Result): boolean {
  return pairs.length + startUps.length + idles.length === 0;
}

/**
 * Returns the file for the result. It is tried before anything is started, so that one that can't
 * be written costs no time.
 * @param out what the user asks for; undefined for a name of its own
 * @throws Problem if it exists, or can't be written
 */
export function writableFile(out: string | undefined, suite: string): string {
  const file = out ?? defaultResultFile(new Date(), suite);
  if (file.endsWith('/'))
    throw new Problem(`${file} is no name of a file`, 'Choose a file with --out');
  if (out && existsSync(file))
    throw new Problem(`${file} exists already`, 'Choose another file with --out');
  const cause = `The result can't be written to ${file}`;
  orProblem(() => tryToWrite(file), cause, 'Choose another file with --out');
  return file;
}

/**
 * Tries the file of a run that goes on, as `writableFile` does with a new one. Returns its name.
 * @throws Problem if it can't be written
 */
export function rewritableFile(file: string): string {
  orProblem(
    () => tryToWrite(file),
    `The result can't be written to ${file}`,
    'Let its folder be written, or copy the file elsewhere and go on with the copy',
  );
  return file;
}

/**
 * Leaves nothing behind, not even a folder: the run may fail before it has a result. @throws Error
 * if the name is too long
 */
function tryToWrite(file: string): void {
  let folder = dirname(resolve(file));
  while (!existsSync(folder)) folder = dirname(folder);
  removePath(mkdtempSync(join(folder, `${basename(file)}.${crypto.randomUUID()}`)));
}
