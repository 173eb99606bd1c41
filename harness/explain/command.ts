import { existsSync } from 'node:fs';
import { analyse } from '../analysis/analysis.ts';
import { pairsOf, type TaskAnalysis, withTask } from '../analysis/task.ts';
import { carryOut } from '../commands.ts';
import { unlessStopped } from '../machine/interruption.ts';
import { keepCoresAwake } from '../machine/keep-awake.ts';
import { planPairs } from '../measure/order.ts';
import { PAIR_SECONDS, profilePair } from '../measure/profiled-pair.ts';
import type { ExplainOptions } from '../options.ts';
import { complain, drawing, EXIT, print, writeWhole } from '../output.ts';
import { type Plan, plan } from '../plan.ts';
import { Problem } from '../problem.ts';
import { createProgress } from '../progress.ts';
import { asMarkdown, joined, RENDERERS } from '../report/formats.ts';
import { printableJson } from '../report/text.ts';
import { readResult } from '../result/file.ts';
import type { Result } from '../result/schema.ts';
import { type Explanation, explain } from './explanation.ts';
import { explanationText, ladderTable } from './explanation-tables.ts';
import { profilesFolder, readProfiles, writeProfiles } from './profiles.ts';

/** By then the packages that matter are known to some per cent. */
const MOST_PAIRS = 6;

/**
 * Measures, profiles some more pairs, and says where the cost of a scenario lies; of all if none is named. Returns the exit
 * status. @throws Problem before anything is measured.
 */
export async function explainCost(scenario: string | undefined, options: ExplainOptions): Promise<number> {
  if (options.from !== undefined) return show(options.from, scenario, options);
  const planned = await plan({ ...options, ...(scenario !== undefined && { scenarios: [scenario] }) });
  if (!planned.clock || planned.configuration.duetSlices === 0)
    throw new Problem('Without CPU time there is nothing to explain', 'Explain on Linux, with duet slices');
  if (planned.suite.tasks.every(({ baseline, scenarios }) => scenarios.every((each) => each === baseline)))
    throw new Problem('A baseline has no cost to explain', 'Name another scenario');
  const earlier = options.out && profilesFolder(options.out);
  if (earlier && existsSync(earlier)) throw new Problem(`${earlier} exists already`, 'Choose another file with --out');
  return carryOut(planned, options, async (outcome, analysis, file) => {
    outcome.stoppedBy ??= await unlessStopped(async () => {
      await profileAll(planned, profilesFolder(file));
      await show(file, scenario, options);
    });
    return outcome.stoppedBy ? print(RENDERERS.docs(analysis)) : EXIT.done;
  });
}

async function profileAll(plan: Plan, folder: string): Promise<void> {
  const { suite, configuration } = plan;
  const planned = planPairs(suite.tasks, Math.min(configuration.pairs, MOST_PAIRS), configuration.seed);
  // None of the baseline against itself.
  const pairs = planned.filter(({ task, scenario }) => scenario !== task.baseline);
  using _ = keepCoresAwake(plan.keepAwake);
  using progress = createProgress(pairs.length * PAIR_SECONDS);
  for (const [index, pair] of pairs.entries()) {
    const about = { task: pair.task.name, scenario: pair.scenario.name, pair: index + 1, cwd: suite.cwd };
    progress.step(`profile ${about.pair}: ${about.scenario}`, PAIR_SECONDS);
    await writeProfiles(folder, about, await profilePair(plan, pair));
  }
}

/** Prints what was measured and profiled, and puts it where the options say. Returns the exit status. @throws Problem */
async function show(file: string, scenario: string | undefined, options: ExplainOptions): Promise<number> {
  const { format, html, pprof } = options;
  const result = readResult(file);
  const { tasks } = analyse(result);
  // It needs no profiles, so it is there if they are not.
  const hasLadder = result.suite.isLadder && scenario === undefined && format !== 'json';
  if (hasLadder) print(joined(tasks.map((task) => asMarkdown(ladderTable(task)))));
  const explanations = explainAll(result, tasks, profilesFolder(file), scenario);
  const isFull = format === 'full';
  const asText = () => joined(explanations.map((each) => explanationText(each, isFull)));
  print(format === 'json' ? printableJson(JSON.stringify(explanations, null, 2)) : asText());
  if (html !== undefined) {
    const { explanationPage } = await drawing(() => import('./flame-page.ts'));
    await writeWhole(html, await explanationPage(result.suite.title, explanations));
  }
  if (pprof !== undefined) await writePprof(pprof, explanations);
  return EXIT.done;
}

function explainAll(result: Result, tasks: TaskAnalysis[], folder: string, scenario?: string): Explanation[] {
  const rows = tasks.flatMap((task) => task.rows.map((row) => ({ task, row })));
  const named = rows.filter(({ row }) => scenario === undefined || row.scenario === scenario);
  const names = rows.map(({ row }) => row.scenario).join(', ');
  if (named.length === 0) throw new Problem(`"${scenario}" was not measured`, `Name one of these: ${names}`);
  return named.map(({ task, row }) => {
    const profiles = readProfiles(folder, task.name, row.scenario);
    const titled = { ...row, title: withTask(row.title, task.name, tasks) };
    return explain(titled, task.baseline.title, pairsOf(result, task.name, row.scenario), profiles);
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
