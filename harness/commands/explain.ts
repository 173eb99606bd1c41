import { existsSync } from 'node:fs';
import { analyse, type Run } from '../analysis/analysis.ts';
import type { Row } from '../analysis/rows.ts';
import { type Explanation, explain } from '../explain/explanation.ts';
import { profilePair } from '../explain/profile-pair.ts';
import { profilesFolder, readProfiles, writeProfiles } from '../explain/profiles.ts';
import { details, ladderTable, summary } from '../explain/tables.ts';
import { HAS_CPU_CLOCK } from '../machine/process-clock.ts';
import type { World } from '../pair/world.ts';
import type { Plan } from '../plan/plan.ts';
import { interruptible, unlessStopped } from '../processes/interruption.ts';
import { asJson } from '../report/formats/json.ts';
import { runText, sectionsText, type TextOptions } from '../report/formats/list.ts';
import { remarksOf } from '../report/view.ts';
import { readResult } from '../result/file.ts';
import { conclude } from '../run/conclude.ts';
import { isOfRow } from '../run/of-row.ts';
import { planRounds } from '../run/order.ts';
import { writableFile } from '../run/result-path.ts';
import { run } from '../run/run.ts';
import { dryRun } from '../settle/dry-run.ts';
import type { MeasureOptions } from '../settle/options.ts';
import { settle } from '../settle/settle.ts';
import { readSuite } from '../suite/read-suite.ts';
import { select } from '../suite/select.ts';
import type { Suite } from '../suite/suite.ts';
import { Problem } from '../words/errors.ts';
import { EXIT_STATUS, print, printToStderr } from '../words/output.ts';
import { createProgress } from '../words/progress.ts';

/**
 * The command `explain`: it measures and profiles, or reads that of an earlier run, and prints
 * where costs lie.
 */

/** How an explanation is printed. */
interface ShowOptions extends TextOptions {
  format?: 'terminal' | 'docs' | 'full' | 'json';
}

/** A row that is explained, and what it is compared with. */
interface ExplainedRow {
  row: Row;
  baselineTitle: string;
}

/** Runtimes with a profiler that the probe can use. What nothing tells may be one of them. */
const PROFILED_RUNTIMES = ['bun', 'node'];
/** By then the packages that matter are known to some per cent. */
const MAX_PAIRS = 6;

/**
 * Measures, profiles, and says where a cost lies, or all of them. Returns the exit status. @throws
 * Problem
 */
export async function explainRun(
  scenario: string | undefined,
  options: MeasureOptions & ShowOptions,
): Promise<number> {
  const named = scenario === undefined ? options : { ...options, scenarios: [scenario] };
  const suite = await explainedSuite(named);
  if (options.dryRun) return print(dryRun(await settle(named, suite)));
  const file = writableFile(options.out, suite.name);
  const folder = profilesFolder(file);
  if (existsSync(folder))
    throw new Problem(`${folder} exists already`, 'Choose another file with --out');
  const { plan, world } = await interruptible(() => settle(named, suite));
  checkCanProfile(plan);
  const outcome = await run(plan, world, file);
  const analysis = analyse(outcome.result);
  // If the run was stopped, or its profiles can't be made, what was measured is still printed.
  const stoppedBy =
    outcome.stoppedBy ??
    (await unlessStopped(
      profileAndShow({ plan, world, analysis, file: outcome.file, scenario, options }),
    ));
  if (stoppedBy) print(runText(analysis, options));
  return conclude({ ...outcome, stoppedBy }, analysis.warnings, options.strict);
}

/** @throws Problem if there is nothing but baselines in it */
async function explainedSuite(options: MeasureOptions): Promise<Suite> {
  const suite = select(await readSuite(options.suite), options);
  const hasCost = suite.tasks.some(({ baseline, scenarios }) =>
    scenarios.some(({ name }) => name !== baseline.name),
  );
  if (!hasCost) throw new Problem('A baseline has no cost to explain', 'Name another scenario');
  return suite;
}

/** @throws Problem if a cost of this plan can't be explained */
function checkCanProfile({ header }: Plan): void {
  const unprofiled = header.suite.scenarios.find(
    ({ runtime }) => runtime && !PROFILED_RUNTIMES.includes(runtime.name),
  );
  const measuresCpu = HAS_CPU_CLOCK && header.configuration.duetSlices > 0;
  if (!unprofiled && measuresCpu) return;
  const why = unprofiled
    ? `${unprofiled.title} runs on ${unprofiled.runtime?.name}`
    : 'nothing measures CPU per request';
  throw new Problem(
    `This can't be explained: ${why}`,
    'Use Linux, servers on Bun or Node, and --duet-slices 1 or more',
  );
}

/** What is profiled and shown after a run. */
interface Profiling {
  plan: Plan;
  world: World;
  analysis: Run;
  /** The file that holds the result. */
  file: string;
  scenario: string | undefined;
  options: ShowOptions;
}

async function profileAndShow(profiling: Profiling): Promise<void> {
  const { plan, world, analysis, file, scenario, options } = profiling;
  const rows = explainedRows(analysis, scenario).map(({ row }) => row);
  await profileRows(plan, world, rows, profilesFolder(file));
  show(analysis, file, scenario, options);
}

async function profileRows(
  plan: Plan,
  world: World,
  wanted: readonly Row[],
  folder: string,
): Promise<void> {
  const { configuration } = plan.header;
  const rows = plan.rows.filter((planned) => wanted.some((row) => isOfRow(planned, row)));
  const mostPairs = configuration.mostPairs ?? configuration.pairs;
  const pairs = planRounds(rows, Math.min(mostPairs, MAX_PAIRS), configuration.seed);
  using progress = createProgress();
  for (const [index, pair] of pairs.entries()) {
    const { label, scenario } = pair.row;
    progress.step(`profile ${index + 1} of ${pairs.length}: ${label}`);
    const profiles = await profilePair(world, pair, configuration);
    await writeProfiles(folder, index + 1, scenario.name, profiles);
  }
}

/** Prints what an earlier run measured and profiled. Returns the exit status. @throws Problem */
export function explainFrom(
  file: string,
  scenario: string | undefined,
  options: ShowOptions,
): number {
  return show(analyse(readResult(file)), file, scenario, options);
}

function show(
  analysis: Run,
  file: string,
  scenario: string | undefined,
  options: ShowOptions,
): number {
  const { format } = options;
  const folder = profilesFolder(file);
  const { isLadder } = analysis.header.suite;
  const hasLadder = isLadder && scenario === undefined && format !== 'json';
  if (hasLadder) print(sectionsText([{ tables: analysis.tasks.map(ladderTable) }], [], options));
  // A ladder needs no profiles.
  if (hasLadder && !existsSync(folder)) {
    printToStderr(
      `No packages are shown: ${folder} has no profiles. Leave out --from to make them.`,
    );
    return EXIT_STATUS.success;
  }
  const explanations = explanationsOf(analysis, scenario, folder);
  if (format === 'json') return print(asJson(explanations));
  const sections = explanations.flatMap((explanation) => [
    summary(explanation),
    ...(format === 'full' ? details(explanation) : []),
  ]);
  return print(sectionsText([...sections, remarksOf(analysis)], [], options));
}

/** @throws Problem if there is no cost, or no profile of it */
function explanationsOf(
  analysis: Run,
  scenario: string | undefined,
  folder: string,
): Explanation[] {
  const rows = explainedRows(analysis, scenario);
  if (rows.length === 0) {
    const whose = scenario === undefined ? '' : ` of ${scenario}`;
    throw new Problem(`There is no cost${whose} to explain`, 'See report --format full');
  }
  return rows.map(({ row, baselineTitle }) =>
    explain(row, baselineTitle, readProfiles(folder, row.task, row.scenario)),
  );
}

/** Returns the rows that have a cost: of all scenarios, or of the one that the user names. */
function explainedRows({ tasks }: Run, named: string | undefined): ExplainedRow[] {
  const isWanted = ({ scenario, change }: Row) =>
    change.cpuUs !== null && (named === undefined || scenario === named);
  return tasks.flatMap(({ rows, baseline }) =>
    rows.filter(isWanted).map((row) => ({ row, baselineTitle: baseline.title })),
  );
}
