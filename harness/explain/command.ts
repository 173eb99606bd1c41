import { existsSync } from 'node:fs';
import { analyse, type Run } from '../analysis/analysis.ts';
import type { Row } from '../analysis/rows.ts';
import { HAS_CPU_CLOCK } from '../machine/process-clock.ts';
import type { World } from '../pair/world.ts';
import type { Plan } from '../plan/plan.ts';
import { interruptible, unlessStopped } from '../processes/interruption.ts';
import { asJson } from '../report/formats/json.ts';
import { FORMATS } from '../report/formats/list.ts';
import { asMarkdown } from '../report/formats/markdown.ts';
import { remarksOf } from '../report/view.ts';
import { readResult } from '../result/file.ts';
import { conclude } from '../run/conclude.ts';
import { planRounds } from '../run/order.ts';
import { run, writableFile } from '../run/run.ts';
import { dryRun } from '../settle/dry-run.ts';
import type { MeasureOptions } from '../settle/options.ts';
import { settle } from '../settle/settle.ts';
import { readSuite } from '../suite/read-suite.ts';
import { select } from '../suite/select.ts';
import { Problem } from '../words/errors.ts';
import { EXIT_STATUS, print, printToStderr } from '../words/output.ts';
import { createProgress } from '../words/progress.ts';
import { explain } from './explanation.ts';
import { profilePair } from './profile-pair.ts';
import { profilesFolder, readProfiles, writeProfiles } from './profiles.ts';
import { details, ladderTable, summary } from './tables.ts';

type ShowOptions = { format: 'docs' | 'full' | 'json' };

/** Runtimes with a profiler that the probe can use. What nothing tells may be one of them. */
const PROFILED = ['bun', 'node'];
/** By then the packages that matter are known to some per cent. */
const MAX_PAIRS = 6;

/** Measures, profiles, and says where a cost lies, or all of them. Returns the exit status. @throws Problem */
export async function explainRun(
  scenario: string | undefined,
  options: MeasureOptions & ShowOptions,
): Promise<number> {
  const named = scenario === undefined ? {} : { scenarios: [scenario] };
  const suite = select(await readSuite(options.suite), { ...options, ...named });
  if (
    suite.tasks.every(({ baseline, scenarios }) =>
      scenarios.every(({ name }) => name === baseline.name),
    )
  )
    throw new Problem('A baseline has no cost to explain', 'Name another scenario');
  if (options.dryRun) return print(dryRun(await settle(options, suite)));
  const file = writableFile(options.out, suite.name);
  if (existsSync(profilesFolder(file)))
    throw new Problem(`${profilesFolder(file)} exists already`, 'Choose another file with --out');
  const { plan, world } = await interruptible(() => settle(options, suite));
  const other = plan.header.suite.scenarios.find(
    ({ runtime }) => runtime && !PROFILED.includes(runtime.name),
  );
  const why = other
    ? `${other.title} runs on ${other.runtime?.name}`
    : 'nothing measures CPU per request';
  if (other || !HAS_CPU_CLOCK || plan.header.configuration.duetSlices === 0)
    throw new Problem(
      `This can't be explained: ${why}`,
      'Use Linux, servers on Bun or Node, and --duet-slices 1 or more',
    );
  const outcome = await run(plan, world, file);
  const analysis = analyse(outcome.result);
  const rows = explained(analysis, scenario).map(({ row }) => row);
  const profile = async () => {
    await profileAll(plan, world, rows, profilesFolder(outcome.file));
    explainFrom(outcome.file, scenario, options);
  };
  outcome.stoppedBy ??= await unlessStopped(profile());
  if (outcome.stoppedBy) print(FORMATS[options.format](analysis));
  return conclude(outcome, analysis.warnings, options.strict);
}

/** The rows that have a cost, or the one that the user names. */
function explained({ tasks }: Run, named: string | undefined) {
  const isWanted = ({ scenario, change }: Row) =>
    named === undefined ? change.cpuUs : scenario === named;
  return tasks.flatMap(({ rows, baseline }) =>
    rows.filter(isWanted).map((row) => ({ row, baseline })),
  );
}

async function profileAll(plan: Plan, world: World, wanted: Row[], folder: string): Promise<void> {
  const { pairs, seed } = plan.header.configuration;
  const rows = plan.rows.filter(({ task, scenario }) =>
    wanted.some((row) => row.task === task.name && row.scenario === scenario.name),
  );
  const planned = planRounds(rows, Math.min(pairs, MAX_PAIRS), seed);
  using progress = createProgress();
  for (const [index, pair] of planned.entries()) {
    progress.step(`profile ${index + 1} of ${planned.length}: ${pair.row.label}`);
    await writeProfiles(
      folder,
      index + 1,
      pair.row.scenario.name,
      await profilePair(world, pair, plan.header.configuration),
    );
  }
}

/** Prints what an earlier run measured and profiled. Returns the exit status. @throws Problem */
export function explainFrom(
  file: string,
  scenario: string | undefined,
  { format }: ShowOptions,
): number {
  const run = analyse(readResult(file));
  const folder = profilesFolder(file);
  const hasLadder = run.header.suite.isLadder && scenario === undefined && format !== 'json';
  if (hasLadder) print(asMarkdown([{ tables: run.tasks.map(ladderTable) }]));
  // A ladder needs no profiles.
  if (hasLadder && !existsSync(folder)) {
    printToStderr(
      `No packages are shown: ${folder} has no profiles. Leave out --from to make them.`,
    );
    return EXIT_STATUS.success;
  }
  const wanted = explained(run, scenario);
  if (wanted.length === 0)
    throw new Problem(
      `There is no cost${scenario === undefined ? '' : ` of ${scenario}`} to explain`,
      'See report --format full',
    );
  const explanations = wanted.map(({ row, baseline }) =>
    explain(row, baseline.title, readProfiles(folder, row.task, row.scenario)),
  );
  if (format === 'json') return print(asJson(explanations));
  const sections = explanations.flatMap((each) => [
    summary(each),
    ...(format === 'full' ? details(each) : []),
  ]);
  return print(asMarkdown([...sections, { list: remarksOf(run) }]));
}
