import { existsSync } from 'node:fs';
import { analyse, type Run } from '../analysis/analysis.ts';
import type { Row } from '../analysis/rows.ts';
import { dryRun } from '../dry-run.ts';
import { interruptible, unlessStopped } from '../machine/interruption.ts';
import type { MeasureOptions } from '../options.ts';
import { planPairs } from '../pair/order.ts';
import type { Plan } from '../plan.ts';
import { asJson, asMarkdown, RENDERERS } from '../report/formats.ts';
import { remarksOf } from '../report/view.ts';
import { readResult } from '../result/file.ts';
import { conclude, run, writableFile } from '../run.ts';
import { settle } from '../settle.ts';
import { loadSuite } from '../suite/load.ts';
import { select } from '../suite/select.ts';
import { Problem } from '../words/errors.ts';
import { complain, EXIT, print } from '../words/output.ts';
import { createProgress } from '../words/progress.ts';
import { explain } from './explanation.ts';
import { PAIR_SECONDS, profilePair } from './profile-pair.ts';
import { profilesFolder, readProfiles, writeProfiles } from './profiles.ts';
import { details, ladderTable, summary } from './tables.ts';

type ShowOptions = { format: 'docs' | 'full' | 'json' };

/** Runtimes with a profiler that the probe can use. What nothing tells may be one of them. */
const PROFILED = ['bun', 'node'];
/** By then the packages that matter are known to some per cent. */
const MAX_PAIRS = 6;

/** Measures, profiles, and says where a cost lies, or all of them. Returns the exit status. @throws Problem */
export async function explainRun(scenario: string | undefined, options: MeasureOptions & ShowOptions): Promise<number> {
  const named = scenario === undefined ? {} : { scenarios: [scenario] };
  const suite = select(await loadSuite(options.suite), { ...options, ...named });
  if (suite.tasks.every(({ baseline, scenarios }) => scenarios.every(({ name }) => name === baseline.name)))
    throw new Problem('A baseline has no cost to explain', 'Name another scenario');
  if (options.dryRun) return print(dryRun(await settle(options, suite)));
  const file = await writableFile(options.out, suite.name);
  if (existsSync(profilesFolder(file)))
    throw new Problem(`${profilesFolder(file)} exists already`, 'Choose another file with --out');
  const plan = await interruptible(() => settle(options, suite));
  if (!plan.clock || plan.header.configuration.duetSlices === 0)
    throw new Problem('explain needs CPU time per request', 'Run it on Linux, with --duet-slices 1 or more');
  const other = plan.header.suite.scenarios.find(({ runtime }) => runtime && !PROFILED.includes(runtime.name));
  if (other)
    throw new Problem(
      `explain can't profile ${other.runtime?.name}, on which ${other.title} runs`,
      'Name one on Bun or Node',
    );
  const outcome = await run(plan, file);
  const analysis = analyse(outcome.result);
  let status = EXIT.failed;
  const folder = profilesFolder(outcome.file ?? file);
  const profile = async () => {
    await profileAll(plan, explained(analysis, scenario), folder);
    status = await show(analysis, folder, scenario, options);
  };
  if (outcome.file) outcome.stoppedBy ??= await unlessStopped(profile());
  if (outcome.file && outcome.stoppedBy) print(RENDERERS[options.format](analysis));
  return conclude(outcome, analysis.warnings, options.strict) || status;
}

/** The same of an earlier run. Returns the exit status. @throws Problem */
export async function explainFrom(file: string, scenario: string | undefined, options: ShowOptions): Promise<number> {
  return show(analyse(readResult(file)), profilesFolder(file), scenario, options);
}

/** The rows that have a cost, or the one that the user names. */
function explained({ tasks }: Run, named: string | undefined) {
  const isWanted = ({ scenario, change }: Row) => (named === undefined ? change.cpuUs : scenario === named);
  return tasks.flatMap(({ rows, baseline }) => rows.filter(isWanted).map((row) => ({ row, baseline })));
}

async function profileAll(plan: Plan, wanted: ReturnType<typeof explained>, folder: string): Promise<void> {
  const { pairs, seed } = plan.header.configuration;
  const rows = plan.rows.filter(({ task, scenario }) =>
    wanted.some(({ row }) => row.task === task.name && row.scenario === scenario.name),
  );
  const planned = planPairs(rows, Math.min(pairs, MAX_PAIRS), seed);
  using progress = createProgress(planned.length * PAIR_SECONDS);
  for (const [index, pair] of planned.entries()) {
    progress.step(`profile ${index + 1}: ${pair.row.label}`, PAIR_SECONDS);
    await writeProfiles(folder, index + 1, pair.row.scenario.name, await profilePair(plan, pair));
  }
}

/** Prints what was measured and profiled, and puts it where the options say. Returns the exit status. @throws Problem */
async function show(run: Run, folder: string, scenario: string | undefined, options: ShowOptions) {
  const { header, tasks } = run;
  const { format } = options;
  const hasLadder = header.suite.isLadder && scenario === undefined && format !== 'json';
  if (hasLadder) print(asMarkdown([{ tables: tasks.map(ladderTable) }]));
  // A ladder needs no profiles.
  if (hasLadder && !existsSync(folder)) {
    complain(`No packages are shown: ${folder} has no profiles. Leave out --from to make them.`);
    return EXIT.done;
  }
  const explanations = explained(run, scenario).map(({ row, baseline }) =>
    explain(row, baseline.title, readProfiles(folder, row.task, row.scenario)),
  );
  if (explanations.length === 0)
    throw scenario === undefined
      ? new Problem('No row has a cost to explain', 'See report --format full')
      : new Problem(`There is no scenario ${scenario} to explain`, 'Name one that was measured');
  const sections = explanations.flatMap((each) => [summary(each), ...(format === 'full' ? details(each) : [])]);
  print(format === 'json' ? asJson(explanations) : asMarkdown([...sections, { list: remarksOf(run) }]));
  return EXIT.done;
}
