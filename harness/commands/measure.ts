import { relative } from 'node:path';
import { isByRule } from '../analysis/aims.ts';
import { analyse } from '../analysis/analysis.ts';
import { judgeRun } from '../analysis/gate.ts';
import { interruptible } from '../processes/interruption.ts';
import { runText, type TextOptions } from '../report/formats/list.ts';
import { gateLines, gateSentence, OUT_OF_TIME } from '../report/gate-text.ts';
import { stampOf } from '../result/file.ts';
import type { Result } from '../result/schema.ts';
import { isPaced } from '../result/steady-rate.ts';
import { conclude } from '../run/conclude.ts';
import { firstFailure, gateStatus } from '../run/exit-status.ts';
import { rewritableFile, writableFile } from '../run/result-path.ts';
import { checkLacking, checkSame, earlierRun, resumeCommand } from '../run/resume.ts';
import { type Outcome, run } from '../run/run.ts';
import { dryRun } from '../settle/dry-run.ts';
import type { MeasureOptions } from '../settle/options.ts';
import { settle } from '../settle/settle.ts';
import { readSuite } from '../suite/read-suite.ts';
import { select } from '../suite/select.ts';
import type { Suite } from '../suite/suite.ts';
import { Problem } from '../words/errors.ts';
import { print, printToStderr } from '../words/output.ts';

/*
 * This room has what each command does, a file for each: the options of a call go in, what it found
 * is printed, and an exit status comes out. No command knows another, and what two of them need
 * belongs in a lower room. This file measures a suite, as `tracetax` and `tracetax calibrate` do.
 */

export interface MeasureCommandOptions extends MeasureOptions, TextOptions {
  /** The file of a run that is to go on. */
  resume?: string;
}

/**
 * Measures a suite, and prints the result. Returns the exit status. @throws Problem before anything
 * is measured
 */
export async function measure(wanted: MeasureCommandOptions): Promise<number> {
  const stampAsRead = wanted.resume === undefined ? undefined : stampOf(wanted.resume);
  const earlier = wanted.resume === undefined ? undefined : earlierRun(wanted.resume);
  const options = earlier ? { ...settledBefore(earlier, wanted), ...wanted } : wanted;
  const suite = select(await readSuite(options.suite), options);
  checkLimits(suite, options);
  if (options.dryRun) return print(dryRun(await settle(options, suite)));
  const { resume, out } = options;
  const file = resume === undefined ? writableFile(out, suite.name) : rewritableFile(resume);
  const { plan, world } = await interruptible(() => settle(options, suite, earlier));
  if (earlier) {
    checkSame(plan, earlier, file);
    checkLacking(plan, earlier, file);
  }
  const outcome = await run(plan, world, file, earlier && { result: earlier, stampAsRead });
  return show(outcome, options);
}

/** Returns what a run that goes on keeps: its seed, and its number of pairs if that is fixed. */
function settledBefore(
  { configuration }: Result,
  { within }: MeasureOptions,
): Pick<MeasureOptions, 'seed' | 'pairs'> {
  const { seed, pairs } = configuration;
  const isFixed = !isByRule(configuration) && within === undefined;
  return isFixed ? { seed, pairs } : { seed };
}

/** Refuses a limit on a quantity that is not measured. @throws Problem */
function checkLimits(suite: Suite, { rate, failAboveP99 }: MeasureCommandOptions): void {
  const hasRate = rate !== undefined || suite.tasks.every(isPaced);
  if (failAboveP99 !== undefined && !hasRate)
    throw new Problem(
      '--fail-above-p99 needs a steady rate: at full load, p99 is that of the queue',
      'Add --rate 30%',
    );
}

/**
 * Prints the result of a run, what the gate says of it, and where it is. Returns the exit status.
 */
function show(outcome: Outcome, options: MeasureCommandOptions): number {
  const analysis = analyse(outcome.result);
  const judgements = judgeRun(analysis, options);
  const isFinished = outcome.stoppedBy === undefined;
  print(runText(analysis, options, gateSentence(judgements, isFinished)));
  const isOutOfTime = outcome.result.endReason === 'time';
  const remedies = {
    notJudged: 'name the others with --scenarios to judge them alone',
    ...(isOutOfTime && OUT_OF_TIME),
  };
  for (const line of gateLines(judgements, remedies)) printToStderr(`tracetax: ${line}.`);
  const status = conclude(outcome, analysis.warnings, options.strict);
  if (outcome.stoppedBy || isOutOfTime)
    printToStderr(`To go on with it: ${resumeCommand(relative('', outcome.file))}`);
  return firstFailure(status, gateStatus(judgements, isFinished));
}
