import { isByRule } from '../analysis/aims.ts';
import { idleCores } from '../analysis/idle-cores.ts';
import type { Plan } from '../plan/plan.ts';
import { readResult } from '../result/file.ts';
import { mismatches } from '../result/mismatches.ts';
import type { Result } from '../result/schema.ts';
import { Problem } from '../words/errors.ts';
import { INVOKED_AS } from '../words/output.ts';
import { quoteCommand } from '../words/text.ts';
import { missingIn } from './missing.ts';
import { roundsOf } from './rounds.ts';

/**
 * Values that may differ from one part of a run to the next: moments, wake-ups, proofs, and what a
 * failed start said.
 */
const MOMENTARY = [
  /^startedAt\b/,
  /^keepAwake\b/,
  /^environment\.wakeUp\b/,
  // Each part of a run has its own time.
  /^configuration\.atMostSeconds\b/,
  // Results of before did not ask for a ranking, and may go on with it.
  /^configuration\.isRanking\b/,
  /^proofs\b/,
  /^suite\.skipped\.\d+\.fault\.detail\b/,
];

/**
 * Returns the result of a run that may go on: whether one whose pairs follow from what they show
 * lacks some is for its plan to say. @throws Problem if it can't, or if it lacks nothing
 */
export function interruptedRun(file: string): Result {
  const result = readResult(file);
  if (result.endReason === 'failed')
    throw new Problem(
      `${file} can't go on: its baseline failed`,
      'Do what its warnings say, and measure anew, without --resume',
    );
  const isByPlan = isByRule(result.configuration);
  if (isEnded(result) && !isByPlan && result.endReason !== 'time') throw lacksNothing(file);
  return result;
}

/** @throws Problem if the earlier run ended, and has all that the plan asks for */
export function checkLacking(plan: Plan, earlier: Result, file: string): void {
  const { startUps, idles } = missingIn(earlier, plan);
  const hasAllPairs = roundsOf(plan, earlier).next().done === true;
  const isWhole = hasAllPairs && startUps.length + idles.length === 0;
  if (isEnded(earlier) && isWhole) throw lacksNothing(file);
}

/** Returns whether a run came to its end by itself. */
function isEnded({ endedAt, stoppedBy }: Result): boolean {
  return endedAt !== null && stoppedBy === null;
}

function lacksNothing(file: string): Problem {
  return new Problem(
    `${file} lacks nothing: its run ended as planned`,
    'Measure anew, without --resume',
  );
}

/** @throws Problem that says what differs, if this plan is not that of the earlier run */
export function checkSame({ header }: Plan, earlier: Result, file: string): void {
  const changes = mismatches(
    '',
    comparableHeader(earlier),
    comparableHeader({ ...earlier, ...header }),
  );
  const isMomentary = (change: string) => MOMENTARY.some((pattern) => pattern.test(change));
  const [first, ...others] = changes.filter((change) => !isMomentary(change));
  if (first === undefined) return;
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  throw new Problem(
    `${file} can't go on, since not all is as it was: ${first}${more}`,
    'Measure with the same options, versions and machine, or anew, without --resume',
  );
}

/**
 * Returns the result without its pairs, and with whether idle cores slept in place of the reason in
 * words.
 */
function comparableHeader(result: Result): object {
  return {
    ...result,
    pairs: null,
    endReason: null,
    'idle cores': idleCores(result),
  };
}

/** Returns the command that goes on with a run which left this file, for a shell. */
export function resumeCommand(file: string, argv = process.argv.slice(2)): string {
  const given = argv.filter((word, index) => !namesFile(word) && !isFileOption(argv[index - 1]));
  return `${INVOKED_AS} ${quoteCommand([...given, '--resume', file])}`;
}

function namesFile(word: string): boolean {
  return /^--(out|resume)(=|$)/.test(word);
}

/** Returns whether the next word is the file. */
function isFileOption(word: string | undefined): boolean {
  return word === '--out' || word === '--resume';
}
