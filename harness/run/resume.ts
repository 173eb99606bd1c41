import { isByRule } from '../analysis/aims.ts';
import { idleCores } from '../analysis/idle-cores.ts';
import type { Plan } from '../plan/plan.ts';
import { readResult } from '../result/file.ts';
import { mismatches } from '../result/mismatches.ts';
import type { Result } from '../result/schema.ts';
import { stoppedByOf } from '../result/stopped-by.ts';
import { Problem } from '../words/errors.ts';
import { INVOKED_AS } from '../words/output.ts';
import { quoteCommand } from '../words/text.ts';
import { isGivenUp } from './given-up.ts';
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
  // The clock of a core moves by the second.
  /^environment\.cpuMhz\b/,
  // Each part of a run has its own time.
  /^configuration\.atMostSeconds\b/,
  // Older results asked for no ranking, and may get one as they go on.
  /^configuration\.isRanking\b/,
  /^proofs\b/,
  /^suite\.skipped\.\d+\.fault\.detail\b/,
];

/**
 * Returns the result of a run that may go on. If a rule decides its number of pairs, `checkLacking`
 * tells whether it lacks some. @throws Problem if it can't go on, or surely lacks nothing
 */
export function earlierRun(file: string): Result {
  const result = readResult(file);
  if (result.endReason === 'failed')
    throw new Problem(
      `${file} can't go on: its baseline failed`,
      'Do what its warnings say, and measure anew, without --resume',
    );
  const isFixed = !isByRule(result.configuration);
  if (isFixed && isEnded(result) && result.endReason !== 'time') throw lacksNothing(file);
  return result;
}

/** @throws Problem if the earlier run ended, and has all that the plan asks for */
export function checkLacking(plan: Plan, earlier: Result, file: string): void {
  if (!isEnded(earlier)) return;
  const { startUps, idles } = missingIn(earlier, plan);
  if (startUps.length + idles.length > 0) return;
  for (const { pairs } of roundsOf(plan, earlier)) {
    // Those of a row that was given up are in no later round.
    if (pairs.some(({ row }) => !isGivenUp(row, earlier))) return;
  }
  throw lacksNothing(file);
}

/** Returns whether a run came to its end by itself. */
function isEnded(result: Result): boolean {
  return stoppedByOf(result) === null;
}

function lacksNothing(file: string): Problem {
  return new Problem(
    `${file} lacks nothing: its run ended as planned`,
    'Measure anew, without --resume',
  );
}

/** @throws Problem that says what differs, if this plan is not that of the earlier run */
export function checkSame({ header }: Plan, earlier: Result, file: string): void {
  // A plan without a tool for steady rates does not name one: the earlier one must not stand in.
  const now = { ...earlier, toolAtRates: undefined, ...header };
  const changes = [
    ...mismatches('', comparableHeader(earlier), comparableHeader(now)),
    // Options change what servers get, too, and tell it better.
    ...changedServers(earlier, now),
  ];
  const isMomentary = (change: string) => MOMENTARY.some((pattern) => pattern.test(change));
  const [first, ...others] = changes.filter((change) => !isMomentary(change));
  if (first === undefined) return;
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  throw new Problem(
    `${file} can't go on, since not all is as it was: ${first}${more}`,
    'Measure with the same options, versions and machine, or anew, without --resume',
  );
}

/** Returns what is not as it was of servers that kept their names. Older results don't tell. */
function changedServers(earlier: Result, now: Result): string[] {
  const scenarios = earlier.suite.scenarios;
  const digests = new Map(scenarios.map(({ name, serverDigest }) => [name, serverDigest]));
  return now.suite.scenarios
    .filter(({ name, serverDigest }) => {
      const before = digests.get(name);
      return before !== undefined && before !== serverDigest;
    })
    .map(({ name }) => `the command, the environment or the folder of ${name}`);
}

/**
 * Returns the result without its pairs and the digests of its servers, and with whether idle cores
 * slept in place of the reason in words.
 */
function comparableHeader(result: Result): object {
  const { suite } = result;
  return {
    ...result,
    suite: { ...suite, scenarios: suite.scenarios.map(withoutDigest) },
    pairs: null,
    endReason: null,
    'idle cores': idleCores(result),
  };
}

function withoutDigest({
  serverDigest: _,
  ...scenario
}: Result['suite']['scenarios'][number]): object {
  return scenario;
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
