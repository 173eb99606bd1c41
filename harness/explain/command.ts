import { analyse } from '../analysis/analysis.ts';
import type { Analysis } from '../analysis/model.ts';
import { conclude } from '../commands.ts';
import { Interruption, interruptible } from '../machine/interruption.ts';
import { keepCoresAwake } from '../machine/keep-awake.ts';
import { planPairs } from '../measure/order.ts';
import { PROFILE_SECONDS, profilePair } from '../measure/profiled-pair.ts';
import type { ExplainOptions } from '../options.ts';
import { complain, EXIT, print, writeWhole } from '../output.ts';
import { type Plan, plan } from '../plan.ts';
import { Problem } from '../problem.ts';
import { createProgress } from '../progress.ts';
import { RENDERERS } from '../report/formats.ts';
import { printableJson } from '../report/text.ts';
import { readResult } from '../result/file.ts';
import type { Result } from '../result/schema.ts';
import { run } from '../run.ts';
import { type Explanation, explain } from './explanation.ts';
import { profilesFolder, readProfiles, writeProfiles } from './profiles.ts';
import { asDocs, asFull } from './table.ts';

/** Nobody learns more from more of them: packages that matter are known to some per cent by then. */
const MOST_PAIRS = 6;
/** Start, warm-up, and the proof, in seconds. */
const PAIR_SECONDS = 8 + 2 * PROFILE_SECONDS;

/**
 * Measures, profiles some more pairs, and says where the cost of a scenario lies; of all if none is named. Returns the exit
 * status. @throws Problem before anything is measured.
 */
export async function explainCommand(scenario: string | undefined, options: ExplainOptions): Promise<number> {
  if (options.from !== undefined) return show(options.from, scenario, options);
  const planned = await plan({ ...options, ...(scenario !== undefined && { scenarios: [scenario] }) });
  if (!planned.clock) throw new Problem('There is no clock of CPU time here, so no cost to explain', 'Use Linux');
  const outcome = await run(planned, options.out);
  const analysis = analyse(outcome.result);
  if (!outcome.file || outcome.stoppedBy) return conclude(outcome, analysis, options.strict);
  const stoppedBy = await profile(planned, outcome.result, profilesFolder(outcome.file));
  if (stoppedBy) print(RENDERERS.docs(analysis));
  else await show(outcome.file, scenario, options);
  return conclude({ ...outcome, stoppedBy }, analysis, options.strict);
}

/** Profiles some pairs of each scenario into the folder. Returns why that ended early. */
async function profile(planned: Plan, { configuration, suite }: Result, folder: string): Promise<Error | undefined> {
  const tasks = suite.tasks.map(({ name, baseline, scenarios }) => ({
    name,
    scenarios: scenarios.filter((each) => each !== baseline),
  }));
  const pairs = planPairs(tasks, Math.min(configuration.pairs, MOST_PAIRS), configuration.seed);
  const progress = createProgress(pairs.length * PAIR_SECONDS);
  using _ = keepCoresAwake(planned.keepAwake);
  try {
    await interruptible(async () => {
      for (const [index, each] of pairs.entries()) {
        progress.step(`profile ${index + 1}: ${each.scenario}`, PAIR_SECONDS);
        const task = planned.suite.tasks.find(({ name }) => name === each.task);
        if (!task) throw new Error(`no task ${each.task}`);
        const { task: name, scenario } = each;
        const about = { task: name, scenario, pair: index + 1, cwd: planned.suite.cwd };
        writeProfiles(folder, about, await profilePair(planned, task, each));
      }
    });
    return undefined;
  } catch (error) {
    if (error instanceof Problem || error instanceof Interruption) return error;
    throw error;
  } finally {
    progress.end();
  }
}

/** Prints what was measured and profiled, or puts it where the options say. Returns the exit status. */
async function show(file: string, scenario: string | undefined, options: ExplainOptions): Promise<number> {
  const result = readResult(file);
  const analysis = analyse(result);
  const explanations = explainAll(result, analysis, profilesFolder(file), scenario);
  const { format, html, pprof } = options;
  if (html !== undefined) {
    const { explanationPage } = await import('./page.ts');
    writeWhole(html, await explanationPage(analysis.suite.title, explanations));
    complain(`${html}: written`);
  }
  if (pprof !== undefined) await writePprof(pprof, explanations);
  if (format === 'json') return print(printableJson(JSON.stringify(explanations, null, 2)));
  return print(explanations.map(format === 'full' ? asFull : asDocs).join('\n\n'));
}

function explainAll(result: Result, { tasks, suite }: Analysis, folder: string, scenario?: string): Explanation[] {
  const rows = tasks.flatMap((task) => task.rows.map((row) => ({ task, row })));
  const named = rows.filter(({ row }) => scenario === undefined || row.scenario === scenario);
  if (named.length === 0)
    throw new Problem(
      `Suite ${suite.name} was measured without "${scenario}"`,
      `It has: ${rows.map(({ row }) => row.scenario).join(', ')}`,
    );
  return named.map(({ task, row }) => {
    const pairs = result.pairs.filter((pair) => pair.task === task.name && pair.scenario === row.scenario);
    return explain(row, task.baseline.title, pairs, readProfiles(folder, task.name, row.scenario));
  });
}

async function writePprof(file: string, explanations: Explanation[]): Promise<void> {
  const [only, ...others] = explanations;
  if (!only || others.length > 0) throw new Problem('--pprof takes one scenario', 'Name it: explain SCENARIO');
  const { pprofOf } = await import('./pprof.ts');
  const baseline = file.replace(/(\.pb)?(\.gz)?$/, '-baseline$1$2');
  writeWhole(file, pprofOf(only, 'scenario'));
  writeWhole(baseline, pprofOf(only, 'baseline'));
  complain(`${file}: written. go tool pprof -top -diff_base ${baseline} ${file}`);
}
