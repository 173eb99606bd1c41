import { loadArgv } from './load/run.ts';
import type { Load } from './load/tool.ts';
import { duetLoad } from './measure/duet.ts';
import { during, loadOf } from './measure/solo.ts';
import type { Plan } from './plan.ts';
import { serverArgv, serverEnv } from './server/server.ts';
import { shellWord, shellWords } from './shell-words.ts';
import type { LoadedTask } from './suite/load.ts';
import type { Scenario } from './suite/schema.ts';

/** A run takes a free port for each server; by hand, these are what the load commands name. */
const PORT = 3000;
const SECOND_PORT = 3001;

/** Every command of the run, each fit to be pasted: servers into one terminal, loads into a second. */
export function dryRun(plan: Plan): string {
  const { rounds, forks } = plan.configuration;
  return [...(rounds > 0 ? solos(plan) : []), ...(forks > 0 ? duets(plan) : [])].join('\n\n');
}

function solos(plan: Plan): string[] {
  const { configuration, suite } = plan;
  const order = `${configuration.rounds} times in random order (seed ${configuration.seed}), each on a fresh server at a free port`;
  return [
    `# Solo measurements, ${order}`,
    ...suite.tasks.flatMap((task) =>
      task.scenarios.map((scenario) =>
        [
          `# ${label(task, scenario)}: the server, then its load`,
          serverCommand(plan, scenario, PORT),
          ...loadCommands(plan, loadOf({ ...plan, task }, PORT)),
        ].join('\n'),
      ),
    ),
  ];
}

function duets(plan: Plan): string[] {
  const { configuration, suite } = plan;
  const order = `${configuration.forks} times in random order, the last command of each ${configuration.slices} times`;
  return [
    `# Duets, ${order}`,
    ...suite.tasks.flatMap((task) =>
      task.scenarios.map((scenario) =>
        [
          `# ${label(task, scenario)} and the baseline: the servers, then their loads, both at once`,
          serverCommand(plan, task.baseline, PORT),
          serverCommand(plan, scenario, SECOND_PORT),
          ...loadCommands(plan, duetLoad({ ...plan, task }, PORT)),
          ...loadCommands(plan, duetLoad({ ...plan, task }, SECOND_PORT)),
        ].join('\n'),
      ),
    ),
  ];
}

function label(task: LoadedTask, { title, name }: Scenario): string {
  return task.title === undefined ? (title ?? name) : `${task.title}, ${title ?? name}`;
}

function serverCommand({ suite, pinning }: Plan, scenario: Scenario, port: number): string {
  const env = Object.entries(serverEnv(scenario, port)).map(([name, value]) => `${name}=${shellWord(value)}`);
  return `(cd ${shellWord(suite.cwd)} && ${env.join(' ')} ${shellWords(serverArgv(scenario, pinning))})`;
}

/** Warm-up and load. */
function loadCommands({ tool, pinning, configuration: { warmupSeconds } }: Plan, load: Load): string[] {
  const warmups = warmupSeconds > 0 ? [during(load, warmupSeconds)] : [];
  return [...warmups, load].map((each) => shellWords(loadArgv(tool, each, pinning)));
}
