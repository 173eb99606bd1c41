import { analyse } from './analysis/analysis.ts';
import { loadArgv } from './load/run-load.ts';
import type { Load } from './load/tool.ts';
import { keepCoresAwake } from './machine/keep-awake.ts';
import { loadOf } from './measure/bench.ts';
import { emptyResult, type Plan } from './plan.ts';
import { asDuration } from './progress.ts';
import { plannedSeconds } from './run.ts';
import { serverArgv, serverEnv } from './server/server.ts';
import type { LoadedTask } from './suite/load.ts';
import { ONLY_TASK, type Scenario } from './suite/suite-schema.ts';

/** A run takes a free port for each server; by hand, these are what the load commands name. */
const PORT = 3000;
const SECOND_PORT = 3001;

/** What a run would use and mark, as comments, and every command of it, each fit to be pasted into a shell. */
export function dryRun(plan: Plan): string {
  return [...facts(plan), ...pairs(plan)].join('\n\n');
}

function facts(plan: Plan): string[] {
  using awake = keepCoresAwake(plan.keepAwake);
  const result = emptyResult(plan, new Date(), awake);
  const { environment, pinning, cpuClock, keepAwake, configuration } = result;
  const lines = {
    machine: `${environment.cpu}, ${environment.cores} cores, ${environment.kernel}`,
    'load tool': `${plan.tool.tool.name} ${plan.tool.version} (${plan.tool.program}), ${configuration.connections} connections`,
    cores: 'missing' in pinning ? pinning.missing : `server ${pinning.serverCore}, load tool ${pinning.toolCores}`,
    'CPU clock': 'missing' in cpuClock ? cpuClock.missing : cpuClock.name,
    'keep awake': 'missing' in keepAwake ? keepAwake.missing : keepAwake.how,
    time: `about ${asDuration(plannedSeconds(plan))}`,
  };
  const used = Object.entries(lines).map(([name, value]) => `# ${name.padEnd(10)} ${value}`);
  const warnings = analyse(result)
    .verdicts.filter(({ kind }) => kind !== 'stopped')
    .map(({ message, remedy }) => `# warning    ${message}. ${remedy}.`);
  return [[...used, ...warnings].join('\n')];
}

function pairs(plan: Plan): string[] {
  const { configuration, suite } = plan;
  const { pairs, seed, alternatingSlices, duetSlices } = configuration;
  const order = `# ${pairs} pairs of each scenario in random order (seed ${seed}), on free ports, after a warm-up:`;
  const slices = `# ${alternatingSlices} alternating slices for each server, then ${duetSlices} duet slices`;
  return [
    `${order}\n${slices}`,
    ...suite.tasks.flatMap((task) => task.scenarios.map((scenario) => pair(plan, task, scenario))),
  ];
}

function pair(plan: Plan, task: LoadedTask, scenario: Scenario): string {
  const { connections, duetConnections, sliceSeconds } = plan.configuration;
  const load = (port: number, count: number) => loadCommand(plan, loadOf(task, port, count, sliceSeconds));
  return [
    `# ${task.name === ONLY_TASK ? '' : `${task.title ?? task.name}, `}${scenario.title ?? scenario.name} and the baseline: the servers`,
    serverCommand(plan, task.baseline, PORT),
    serverCommand(plan, scenario, SECOND_PORT),
    '# alternating slices: one, then the other',
    load(PORT, connections),
    load(SECOND_PORT, connections),
    '# duet slices: both at once',
    load(PORT, duetConnections),
    load(SECOND_PORT, duetConnections),
  ].join('\n');
}

function serverCommand({ suite, pinning }: Plan, scenario: Scenario, port: number): string {
  const env = Object.entries(serverEnv(scenario, port)).map(([name, value]) => `${name}=${shellWord(value)}`);
  return `(cd ${shellWord(suite.cwd)} && ${env.join(' ')} ${shellWords(serverArgv(scenario, pinning))})`;
}

function loadCommand({ tool, pinning }: Plan, load: Load): string {
  return shellWords(loadArgv(tool, load, pinning));
}

function shellWords(argv: string[]): string {
  return argv.map(shellWord).join(' ');
}

/** As a POSIX shell reads it back, quoted only if needed. Bun's `$.escape` leaves `*` and `~` to the shell. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
