import { idleCores } from '../analysis/core-use.ts';
import type { Plan } from '../plan/plan.ts';
import { differences } from '../result/differences.ts';
import { readResult } from '../result/file.ts';
import type { Result } from '../result/schema.ts';
import { Problem } from '../words/errors.ts';
import { CALLED } from '../words/output.ts';
import { shellWords } from '../words/text.ts';

/** What may differ from one part of a run to the next: moments, wake-ups, proofs, and what one says that does not start. */
const MOMENTARY =
  /^(startedAt|keepAwake|environment\.wakeUp|proofs|suite\.skipped\.\d+\.fault\.detail)\b/;

/** The result of a run that was interrupted. @throws Problem if it is none, or if nothing lacks */
export function interruptedRun(file: string): Result {
  const result = readResult(file);
  if (result.endedAt !== null && result.stoppedBy === null)
    throw new Problem(
      `${file} lacks nothing: its run ended as planned`,
      'Measure anew, without --resume',
    );
  return result;
}

/** @throws Problem that says what differs, if this plan is not that of the earlier run. */
export function checkSame({ header }: Plan, earlier: Result, file: string): void {
  const settled = (of: Result) => ({ ...of, pairs: null, 'idle cores': idleCores(of) });
  const found = differences('', settled(earlier), settled({ ...earlier, ...header }));
  const [first, ...others] = found.filter((each) => !MOMENTARY.test(each));
  if (first === undefined) return;
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  throw new Problem(
    `${file} can't go on, since not all is as it was: ${first}${more}`,
    'Measure with the same options, versions and machine, or anew, without --resume',
  );
}

/** The command that goes on with a run which left this file, for a shell. */
export function resumeCommand(file: string, argv = process.argv.slice(2)): string {
  const given = argv.filter(
    (word, at) =>
      !/^--(out|resume)(=|$)/.test(word) && !/^--(out|resume)$/.test(argv[at - 1] ?? ''),
  );
  return `${CALLED} ${shellWords([...given, '--resume', file])}`;
}
