import { relative } from 'node:path';
import { analyse } from '../analysis/analysis.ts';
import { isPassed, judgeRun, type RunLimits } from '../analysis/gate.ts';
import { interruptible } from '../processes/interruption.ts';
import { RENDERERS } from '../report/formats.ts';
import { gateLines } from '../report/verdicts.ts';
import { conclude } from '../run/conclude.ts';
import { checkSame, interruptedRun, resumeCommand } from '../run/resume.ts';
import { run, writableFile } from '../run/run.ts';
import { dryRun } from '../settle/dry-run.ts';
import type { MeasureOptions } from '../settle/options.ts';
import { settle } from '../settle/settle.ts';
import { readSuite } from '../suite/read-suite.ts';
import { select } from '../suite/select.ts';
import { Problem } from '../words/errors.ts';
import { EXIT_STATUS, print, printToStderr } from '../words/output.ts';

/** `resume`: the file of an interrupted run that is to go on. */
type Options = MeasureOptions &
  RunLimits & { format: keyof typeof RENDERERS; resume?: string | undefined };

/** Measures a suite and prints the result. Returns the exit status. @throws Problem before anything is measured. */
export async function measure({ resume, ...given }: Options): Promise<number> {
  const earlier = resume === undefined ? undefined : interruptedRun(resume);
  const options = earlier ? { seed: earlier.configuration.seed, ...given } : given;
  const suite = select(await readSuite(options.suite), options);
  const isPaced = options.rate || suite.tasks.every(({ rate }) => rate !== undefined);
  if (options.failAboveP99 !== undefined && !isPaced)
    throw new Problem(
      '--fail-above-p99 needs a steady rate: at full load, p99 is that of the queue',
      'Add --rate 30%',
    );
  if (options.dryRun) return print(dryRun(await settle(options, suite)));
  const file = resume ?? writableFile(options.out, suite.name);
  const { plan, world } = await interruptible(() => settle(options, suite, earlier));
  if (earlier) checkSame(plan, earlier, file);
  const outcome = await run(plan, world, file, earlier);
  const analysis = analyse(outcome.result);
  print(RENDERERS[options.format](analysis));
  const judgements = judgeRun(analysis, options);
  for (const line of gateLines(judgements)) printToStderr(`tracetax: ${line}.`);
  const status = conclude(outcome, analysis.warnings, options.strict);
  if (outcome.stoppedBy)
    printToStderr(`To go on with it: ${resumeCommand(relative('', outcome.file))}`);
  return status || (isPassed(judgements) ? EXIT_STATUS.success : EXIT_STATUS.failure);
}
