import { analyse } from '../analysis/analysis.ts';
import { sentBy } from '../analysis/compare.ts';
import { dryRun } from '../dry-run.ts';
import { interruptible } from '../machine/interruption.ts';
import type { MeasureOptions } from '../options.ts';
import { showRevisions } from '../report/gate.ts';
import { conclude, run, writableFile } from '../run.ts';
import { checkOutBoth } from '../server/checkouts.ts';
import { installBoth } from '../server/upgrades.ts';
import { settle } from '../settle.ts';
import { suiteFile } from '../suite/load.ts';
import { pairedSuite } from '../suite/revisions.ts';
import { select } from '../suite/select.ts';
import type { LoadedSuite, LoadedTask } from '../suite/suite-schema.ts';
import { exchangeSummary } from '../summary.ts';
import { EXIT, print } from '../words/output.ts';

/** What acts on a run of two versions, and on the table of it. */
type ComparePairsOptions = MeasureOptions & Parameters<typeof showRevisions>[1];

/** What is compared: HEAD with another revision, or two versions of a package. */
export type Compared = { git: string } | { packages: string[] };

/** Measures two versions of the servers in pairs, and prints what changed. Returns the exit status. @throws Problem */
export async function comparePairs(compared: Compared, options: ComparePairsOptions): Promise<number> {
  const suite = await interruptible(() => suiteOfBoth(compared, options));
  if (options.dryRun) return print(dryRun(await settle(options, suite)));
  const file = await writableFile(options.out, suite.name);
  const plan = await interruptible(() => settle(options, suite));
  const outcome = await run(plan, file);
  const analysis = analyse(outcome.result);
  const shown = outcome.file ? await showRevisions(outcome.result, options) : EXIT.failed;
  return conclude(outcome, analysis.warnings, options.strict) || shown;
}

/** The suite that measures both in pairs, each in a folder of its own. @throws Problem */
async function suiteOfBoth(compared: Compared, options: ComparePairsOptions): Promise<LoadedSuite> {
  const file = suiteFile(options.suite);
  const { old, current, remarks } = await ('git' in compared
    ? checkOutBoth(compared.git, file)
    : installBoth(compared.packages, file));
  const changed = changedRequests(old.suite, select(current.suite, options));
  const suite = pairedSuite(old, current, options);
  return { ...suite, remarks: [...suite.remarks, ...remarks, ...changed] };
}

/** What has changed of the requests, of which both revisions get the new ones. */
function changedRequests(old: LoadedSuite, current: LoadedSuite): string[] {
  const sent = ({ exchanges }: LoadedTask) => sentBy(exchanges.map(exchangeSummary));
  return current.tasks.flatMap((task) => {
    const before = old.tasks.find(({ name }) => name === task.name);
    if (!before || sent(before) === sent(task)) return [];
    return `Both got the requests of HEAD for ${task.name}: ${sent(task)}; before: ${sent(before)}.`;
  });
}
