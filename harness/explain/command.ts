import { existsSync } from 'node:fs';
import { analyse } from '../analysis/analysis.ts';
import { pairsOf } from '../analysis/pairs.ts';
import type { TaskAnalysis } from '../analysis/rows.ts';
import { carryOut, partOf } from '../commands/measure.ts';
import { unlessStopped } from '../machine/interruption.ts';
import { keepCoresAwake } from '../machine/keep-awake.ts';
import type { ExplainOptions } from '../options.ts';
import { planPairs } from '../pair/order.ts';
import { asJson, asMarkdown, RENDERERS } from '../report/formats.ts';
import { readResult } from '../result/file.ts';
import type { Result } from '../result/schema.ts';
import { labelOf } from '../run.ts';
import { type Plan, plan } from '../settle.ts';
import { cellsOf } from '../suite/load.ts';
import { Problem, problemLine } from '../words/errors.ts';
import { complain, drawing, EXIT, print, writeWhole } from '../words/output.ts';
import { createProgress } from '../words/progress.ts';
import { shellWords } from '../words/text.ts';
import { type Explanation, explain } from './explanation.ts';
import { details, ladderTable, summary } from './explanation-tables.ts';
import { PAIR_SECONDS, profilePair } from './profiled-pair.ts';
import { profilesFolder, readProfiles, writeProfiles } from './profiles.ts';

/** By then the packages that matter are known to some per cent. */
const MOST_PAIRS = 6;

/** Measures, profiles, and says where a cost lies, or all of them. Returns the exit status. @throws Problem */
export async function explainCost(scenario: string | undefined, options: ExplainOptions): Promise<number> {
  const { from, endpoints } = options;
  if (from !== undefined) return show(partOf(readResult(from), endpoints), profilesFolder(from), scenario, options);
  const planned = await plan({ ...options, ...(scenario !== undefined && { scenarios: [scenario] }) });
  if (!planned.clock || planned.configuration.duetSlices === 0)
    throw new Problem('explain needs CPU time per request', 'Run it on Linux, with --duet-slices 1 or more');
  if (cellsOf(planned.suite.tasks).every(({ task, scenario }) => scenario === task.baseline))
    throw new Problem('A baseline has no cost to explain', 'Name another scenario');
  const earlier = options.out && profilesFolder(options.out);
  if (earlier && existsSync(earlier)) throw new Problem(`${earlier} exists already`, 'Choose another file with --out');
  return carryOut(planned, options, async (outcome, analysis, file) => {
    let status = EXIT.done;
    const folder = profilesFolder(file);
    outcome.stoppedBy ??= await unlessStopped(async () => {
      await profileAll(planned, folder);
      status = await show(outcome.result, folder, scenario, options);
    });
    return outcome.stoppedBy ? print(RENDERERS[options.format](analysis)) : status;
  });
}

async function profileAll(plan: Plan, folder: string): Promise<void> {
  const { suite, configuration } = plan;
  const planned = planPairs(suite.tasks, Math.min(configuration.pairs, MOST_PAIRS), configuration.seed);
  // None of the baseline against itself.
  const pairs = planned.filter(({ task, scenario }) => scenario !== task.baseline);
  using _ = keepCoresAwake(plan.keepAwake);
  using progress = createProgress(() => pairs.length * PAIR_SECONDS);
  for (const [index, pair] of pairs.entries()) {
    const { task, scenario } = pair;
    const folders = { baseline: task.baseline.cwd ?? suite.cwd, scenario: scenario.cwd ?? suite.cwd };
    progress.step(`profile ${index + 1}: ${labelOf(task, scenario)}`, PAIR_SECONDS);
    const about = { task: task.name, scenario: scenario.name, pair: index + 1, folders };
    await writeProfiles(folder, about, await profilePair(plan, pair));
  }
}

/** Prints what was measured and profiled, and puts it where the options say. Returns the exit status. @throws Problem */
async function show(result: Result, folder: string, scenario: string | undefined, options: ExplainOptions) {
  const { format, html, pprof } = options;
  const { tasks } = analyse(result);
  // It needs no profiles, so it is there if they are not.
  const hasLadder = result.suite.isLadder && scenario === undefined && format !== 'json';
  if (hasLadder) print(asMarkdown([{ tables: tasks.map(ladderTable) }]));
  const { explanations, problems } = explainAll(result, tasks, folder, scenario);
  const sections = explanations.flatMap((each) => [summary(each), ...(format === 'full' ? details(each) : [])]);
  print(format === 'json' ? asJson(explanations) : asMarkdown(sections));
  if (html !== undefined) {
    const { explanationPage } = await drawing(() => import('./flame-page.ts'));
    await writeWhole(html, await explanationPage(result.suite.title, explanations));
  }
  if (pprof !== undefined) await writePprof(pprof, explanations);
  for (const problem of problems) complain(`tracetax: ${problemLine(problem)}`);
  return problems.length > 0 ? EXIT.failed : EXIT.done;
}

/** Of each row its explanation, or the problem that it has. @throws Problem if there is no explanation at all */
function explainAll(result: Result, tasks: TaskAnalysis[], folder: string, scenario?: string) {
  const rows = tasks.flatMap((task) => task.rows.map((row) => ({ task, row })));
  const named = rows.filter(({ row }) => scenario === undefined || row.scenario === scenario);
  const names = rows.map(({ row }) => row.scenario).join(', ') || 'none but the baseline';
  if (named.length === 0)
    throw new Problem(`There is no scenario ${scenario ?? ''} to explain`, `Measured were: ${names}`);
  const explanations: Explanation[] = [];
  const problems: Problem[] = [];
  for (const { task, row } of named) {
    try {
      const profiles = readProfiles(folder, task.name, row.scenario);
      explanations.push(explain(row, task.baseline.title, pairsOf(result, task.name, row.scenario), profiles));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problems.push(error);
    }
  }
  if (explanations.length === 0) throw problems[0];
  return { explanations, problems };
}

async function writePprof(file: string, [only, ...others]: Explanation[]): Promise<void> {
  if (!only || others.length > 0)
    throw new Problem('--pprof takes one scenario of one task', 'Name it: explain SCENARIO --endpoints TASK');
  const { pprofOf } = await drawing(() => import('./pprof.ts'));
  const baseline = `${file}.baseline`;
  await writeWhole(file, pprofOf(only, 'scenario'));
  await writeWhole(baseline, pprofOf(only, 'baseline'));
  complain(`Compare with: go tool pprof -top -diff_base ${shellWords([baseline, file])}`);
}
