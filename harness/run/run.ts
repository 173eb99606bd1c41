import { existsSync, mkdtempSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Plan } from '../plan/plan.ts';
import { Interruption, unlessStopped } from '../processes/interruption.ts';
import { defaultResultFile, writeResult } from '../result/file.ts';
import { type Result, SCHEMA_VERSION } from '../result/schema.ts';
import { orProblem, Problem, problemLine } from '../words/errors.ts';
import { CALLED, complain, EXIT, remove } from '../words/output.ts';
import { counted, shellWords } from '../words/text.ts';
import { redactorFor } from './redact-result.ts';
import { measureAll } from './series.ts';

export type Outcome = Awaited<ReturnType<typeof run>>;

/** The file for the result: known before anything is started, so that one that can't be written costs no time. @throws Problem */
export function writableFile(out: string | undefined, suite: string): string {
  const file = out ?? defaultResultFile(new Date(), suite);
  if (file.endsWith('/'))
    throw new Problem(`${file} is no name of a file`, 'Choose a file with --out');
  if (out && existsSync(file))
    throw new Problem(`${file} exists already`, 'Choose another file with --out');
  let folder = dirname(resolve(file));
  while (!existsSync(folder)) folder = dirname(folder);
  // Nothing is left behind, not even its folder: the run may fail before it has a result. Its own name may be too long.
  const trial = () => remove(mkdtempSync(join(folder, `${basename(file)}.${crypto.randomUUID()}`)));
  orProblem(trial, `The result can't be written to ${file}`, 'Choose another file with --out');
  return file;
}

/**
 * Measures what the plan has, after `earlier` if that run goes on. The file, or one beside it if that is taken, holds every
 * completed pair at any time. Returns it, and why the run ended before its plan did. @throws that if nothing was measured.
 */
export async function run(plan: Plan, wanted: string, earlier?: Result) {
  const result: Result = structuredClone({
    ...{ ...plan.header, startUps: [], idles: [], pairs: [], ...earlier },
    ...{ kind: 'tracetax', schemaVersion: SCHEMA_VERSION, endedAt: null, stoppedBy: null },
  });
  let file = earlier ? wanted : '';
  const redacted = redactorFor(plan.rows);
  const save = async () => {
    file = writeResult(file || wanted, redacted(result), file === '');
  };
  // It begins once signals are heard: one that comes earlier leaves no file.
  const measuring = Promise.resolve()
    .then(save)
    .then(() => measureAll(plan, result, save));
  const stoppedBy = await unlessStopped(measuring);
  const { pairs, startUps, idles } = result;
  if (stoppedBy && pairs.length + startUps.length + idles.length === 0) {
    remove(file);
    throw stoppedBy;
  }
  result.endedAt = new Date().toISOString();
  result.stoppedBy = stoppedBy?.message ?? null;
  const unsaved = await unlessStopped(save());
  return { result: redacted(result), file, stoppedBy: stoppedBy ?? unsaved };
}

/** Says where the result is and what went wrong. `isStrict`: any warning is a failure. Returns the exit status. */
export function conclude(
  { file, stoppedBy }: Outcome,
  warnings: { kind: string }[],
  isStrict: boolean,
): number {
  if (stoppedBy) complain(`tracetax: ${problemLine(stoppedBy) ?? `${stoppedBy.message}.`}`);
  const name = relative('', file);
  complain(
    `\nThe result is in ${name}. To see all of it: ${CALLED} report ${shellWords([name])} --format full`,
  );
  if (stoppedBy instanceof Interruption) return EXIT[stoppedBy.signal];
  const failing = warnings.filter(({ kind }) => isStrict || kind === 'invalid');
  if (isStrict && failing.length > 0)
    complain(`tracetax: --strict: ${counted(failing.length, 'warning')}.`);
  return stoppedBy || failing.length > 0 ? EXIT.failed : EXIT.done;
}
