import type { World } from '../pair/world.ts';
import type { Plan } from '../plan/plan.ts';
import { unlessStopped } from '../processes/interruption.ts';
import { type Result, type ResultHeader, SCHEMA_VERSION } from '../result/schema.ts';
import { printToStderr } from '../words/output.ts';
import { measureAll } from './measure-all.ts';
import { redactorFor } from './redact-result.ts';
import { ResultWriter } from './result-writer.ts';

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

/** The first part of a run that goes on. */
export interface EarlierPart {
  result: Result;
  /** The stamp of its file as it was read; undefined if nobody knows. */
  stampAsRead: string | undefined;
}

/**
 * Measures what the plan has, after the earlier part if the run goes on, and returns what came of
 * it. The file holds every completed pair at any time. If its name is taken, one beside it is used;
 * if another run writes to it, the run ends with that.
 * @throws whatever stopped the run, if nothing was measured
 */
export async function run(
  plan: Plan,
  world: World,
  wantedFile: string,
  earlier?: EarlierPart,
): Promise<Outcome> {
  const result = structuredClone(begunResult(plan.header, earlier?.result));
  const redacted = redactorFor(plan.rows);
  const writer = new ResultWriter(wantedFile, redacted);
  if (earlier) writer.goOn(earlier.stampAsRead);
  const stoppedBy = await measureUnlessStopped(plan, world, result, writer);
  if (stoppedBy && isEmpty(result)) {
    writer.discard();
    throw stoppedBy;
  }
  result.endedAt = new Date().toISOString();
  result.stoppedBy = stoppedBy?.message ?? null;
  const unsaved = await unlessStopped(writer.save(result));
  return {
    result: redacted(result),
    file: writer.file ?? wantedFile,
    stoppedBy: stoppedBy ?? unsaved,
  };
}

/**
 * Adds to the result what it lacks of its plan, and saves each part. Returns what stopped that;
 * undefined if nothing did.
 * @throws whatever else is thrown: it is a bug
 */
function measureUnlessStopped(
  plan: Plan,
  world: World,
  result: Result,
  writer: ResultWriter,
): Promise<Error | undefined> {
  const save = () => writer.save(result);
  // The first save waits until signals are heard: one that comes earlier then leaves no file.
  const measuring = Promise.resolve()
    .then(save)
    .then(async () => {
      result.endReason = await measureAll(plan, world, result, save);
    });
  return unlessStopped(measuring).catch((error: unknown) => {
    // Where a bug is, the file that holds what was measured is told, too.
    if (writer.file !== undefined && !isEmpty(result))
      printToStderr(`What was measured is in ${writer.file}.`);
    throw error;
  });
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
