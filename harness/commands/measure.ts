import { analyse } from '../analysis/analysis.ts';
import { dryRun } from '../dry-run.ts';
import { interruptible } from '../machine/interruption.ts';
import type { MeasureOptions } from '../options.ts';
import { RENDERERS } from '../report/formats.ts';
import { conclude, run, writableFile } from '../run.ts';
import { settle } from '../settle.ts';
import { loadSuite } from '../suite/load.ts';
import { select } from '../suite/select.ts';
import { EXIT, print } from '../words/output.ts';

/** Measures a suite and prints the result. Returns the exit status. @throws Problem before anything is measured. */
export async function measure(options: MeasureOptions & { format: keyof typeof RENDERERS }): Promise<number> {
  const suite = select(await loadSuite(options.suite), options);
  if (options.dryRun) return print(dryRun(await settle(options, suite)));
  const file = await writableFile(options.out, suite.name);
  const plan = await interruptible(() => settle(options, suite));
  const outcome = await run(plan, file);
  const analysis = analyse(outcome.result);
  const shown = outcome.file ? print(RENDERERS[options.format](analysis)) : EXIT.failed;
  return conclude(outcome, analysis.warnings, options.strict) || shown;
}
