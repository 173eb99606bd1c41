import { analyse } from '../analysis/analysis.ts';
import { pairsOf } from '../analysis/task.ts';
import { conclude } from '../commands.ts';
import { dryRun } from '../dry-run.ts';
import { keepCoresAwake } from '../machine/keep-awake.ts';
import { type PlannedPair, planPairs } from '../measure/order.ts';
import { PROFILE_SECONDS, profilePair } from '../measure/profiled-pair.ts';
import type { ExplainOptions } from '../options.ts';
import { complain, drawing, print, writeWhole } from '../output.ts';
import { type Plan, plan } from '../plan.ts';
import { Problem } from '../problem.ts';
import { createProgress, type Progress } from '../progress.ts';
import { asMarkdown, joined, RENDERERS } from '../report/formats.ts';
import { printableJson } from '../report/text.ts';
import { readResult } from '../result/file.ts';
import type { Result } from '../result/schema.ts';
import { run, unlessStopped } from '../run.ts';
import type { LoadedTask } from '../suite/load.ts';
import { asText, ladderTable } from './explained.ts';
import { type Explanation, explain } from './explanation.ts';
import { profilesFolder, readProfiles, writeProfiles } from './profiles.ts';

/** By then the packages that matter are known to some per cent. */
const MOST_PAIRS = 6;
/** With start and warm-up. */
const PAIR_SECONDS = 6 + 2 * PROFILE_SECONDS;

/**
 * Measures, profiles some more pairs, and says where the cost of a scenario lies; of all if none is named. Returns the exit
 * status. @throws Problem before anything is measured.
 */
export async function explainCost(scenario: string | undefined, options: ExplainOptions): Promise<number> {
  if (options.from !== undefined) return show(options.from, scenario, options);
  const planned = await plan({ ...options, ...(scenario !== undefined && { scenarios: [scenario] }) });
  if (!planned.clock || planned.configuration.duetSlices === 0)
    throw new Problem('There will be no CPU time to explain', 'Explain on Linux, with duet slices');
  if (options.dryRun) return print(dryRun(planned));
  const outcome = await run(planned, options.out);
  const analysis = analyse(outcome.result);
  if (!outcome.file || outcome.stoppedBy) return conclude(outcome, analysis, options.strict);
  const { file, result } = outcome;
  const pairs = pairsToProfile(result);
  const progress = createProgress(pairs.length * PAIR_SECONDS);
  const profiling = () => profileAll(planned, pairs, profilesFolder(file), progress);
  const showing = () => show(file, scenario, options);
  const stoppedBy = (await unlessStopped(profiling, progress)) ?? (await unlessStopped(showing));
  if (stoppedBy) print(RENDERERS.docs(analysis));
  return conclude({ ...outcome, stoppedBy }, analysis, options.strict);
}

/** Some of each scenario; none of the baseline against itself. */
function pairsToProfile({ configuration, suite }: Result): PlannedPair[] {
  const tasks = suite.tasks.map(({ name, baseline, scenarios }) => {
    return { name, scenarios: scenarios.filter((each) => each !== baseline) };
  });
  return planPairs(tasks, Math.min(configuration.pairs, MOST_PAIRS), configuration.seed);
}

async function profileAll(plan: Plan, pairs: PlannedPair[], folder: string, progress: Progress): Promise<void> {
  using _ = keepCoresAwake(plan.keepAwake);
  for (const [index, pair] of pairs.entries()) {
    progress.step(`profile ${index + 1}: ${pair.scenario}`, PAIR_SECONDS);
    const task = plan.suite.tasks.find(({ name }) => name === pair.task) as LoadedTask;
    const about = { task: pair.task, scenario: pair.scenario, pair: index + 1, cwd: plan.suite.cwd };
    writeProfiles(folder, about, await profilePair(plan, task, pair));
  }
}

/** Prints what was measured and profiled, and puts it where the options say. Returns the exit status. */
async function show(file: string, scenario: string | undefined, options: ExplainOptions): Promise<number> {
  const result = readResult(file);
  const explanations = explainAll(result, profilesFolder(file), scenario);
  const { format, html, pprof } = options;
  if (html !== undefined) {
    const { explanationPage } = await drawing(() => import('./flame-page.ts'));
    await writeWhole(html, await explanationPage(result.suite.title, explanations));
  }
  if (pprof !== undefined) await writePprof(pprof, explanations);
  if (format === 'json') return print(printableJson(JSON.stringify(explanations, null, 2)));
  const hasLadder = result.suite.isLadder && scenario === undefined;
  const ladders = hasLadder ? analyse(result).tasks.map(({ rows }) => asMarkdown(ladderTable(rows))) : [];
  return print(joined([...ladders, ...explanations.map((each) => asText(each, format === 'full'))]));
}

function explainAll(result: Result, folder: string, scenario: string | undefined): Explanation[] {
  const rows = analyse(result).tasks.flatMap((task) => task.rows.map((row) => ({ task, row })));
  const named = rows.filter(({ row }) => scenario === undefined || row.scenario === scenario);
  const names = rows.map(({ row }) => row.scenario).join(', ');
  if (named.length === 0) throw new Problem(`"${scenario}" was not measured`, `Name one of these: ${names}`);
  return named.map(({ task, row }) => {
    const profiles = readProfiles(folder, task.name, row.scenario);
    return explain(row, task.baseline.title, pairsOf(result, task.name, row.scenario), profiles);
  });
}

async function writePprof(file: string, [only, ...others]: Explanation[]): Promise<void> {
  if (!only || others.length > 0) throw new Problem('--pprof takes one scenario', 'Name it: explain SCENARIO');
  const { pprofOf } = await drawing(() => import('./pprof.ts'));
  const baseline = `${file}.baseline`;
  await writeWhole(file, pprofOf(only, 'scenario'));
  await writeWhole(baseline, pprofOf(only, 'baseline'));
  complain(`Compare with: go tool pprof -top -diff_base ${baseline} ${file}`);
}
