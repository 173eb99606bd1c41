import { relative } from 'node:path';
import { dryRun } from '../dry-run.ts';
import { Interruption } from '../measure/interruption.ts';
import type { RunOptions } from '../options.ts';
import { plan } from '../plan.ts';
import { Problem } from '../problem.ts';
import { CALIBRATION } from '../report/calibration.ts';
import { RENDERERS } from '../report/formats.ts';
import { type Outcome, run } from '../run.ts';
import { complain, EXIT, print } from './output.ts';

/** Measures a suite and prints the result. Returns the exit status. @throws Problem before anything is measured. */
export async function measure(options: RunOptions): Promise<number> {
  const planned = await plan(options);
  if (options.dryRun) return print(dryRun(planned));
  const outcome = await run(planned, options.out);
  if (outcome.file) print(RENDERERS[options.format](outcome.result));
  return conclude(outcome, options.strict);
}

/** Measures the servers whose cost is known, and prints true against measured. */
export async function calibrate(options: RunOptions): Promise<number> {
  const duetOnly = { ...options, suite: CALIBRATION, duet: true, duetOnly: true };
  const outcome = await run(await plan(duetOnly), options.out);
  if (outcome.file) print(RENDERERS.docs(outcome.result));
  return conclude(outcome, false);
}

/** Says where the result is and what went wrong; returns the exit status. `isStrict`: any verdict is a failure. */
function conclude({ result, file: path, stoppedBy }: Outcome, isStrict: boolean): number {
  const file = path && nearName(path);
  if (stoppedBy)
    complain(`tracetax: ${stoppedBy instanceof Problem ? stoppedBy.summary : stoppedBy.message}`);
  complain(
    file
      ? `\nThe result is in ${file}; scripts/bench.sh report ${file} --format full prints more of it.`
      : 'Nothing was measured.',
  );
  if (stoppedBy instanceof Interruption) return EXIT[stoppedBy.signal];
  const failing = result.verdicts.filter(({ kind }) => isStrict || kind === 'invalid');
  if (isStrict && failing.length > 0)
    complain(`tracetax: --strict: ${failing.length} warnings. They stand below the table`);
  return stoppedBy || failing.length > 0 ? EXIT.failed : EXIT.done;
}

/** The path as the user would type it: relative for what lies below the current folder. */
function nearName(path: string): string {
  const near = relative('', path);
  return near.startsWith('..') ? path : near;
}
