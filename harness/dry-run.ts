import { analyse } from './analysis/analysis.ts';
import { asPercent } from './analysis/units.ts';
import { loadCommands } from './load/run-load.ts';
import { keepCoresAwake } from './machine/keep-awake.ts';
import { pinned } from './machine/pinning.ts';
import { loadOf, SIDES, type TaskLoad } from './measure/bench.ts';
import { emptyResult, type Plan } from './plan.ts';
import { asDuration } from './progress.ts';
import { asRemark, methodNotes } from './report/notes.ts';
import { shellWords } from './report/text.ts';
import type { Side } from './result/schema.ts';
import { labelOf, plannedSeconds } from './run.ts';
import { serverEnv } from './server/server.ts';
import { sinkArgv } from './sink/sink.ts';
import { asMeasured, needsSink } from './suite/exporting.ts';
import { cellsOf, type LoadedTask } from './suite/load.ts';
import type { Scenario } from './suite/suite-schema.ts';

/** A run takes free ports; by hand, these are what the commands name. */
const PORTS = { baseline: 3000, scenario: 3001 };
const SINK_PORTS = { baseline: 4318, scenario: 4319 };

/** What a run would use and mark, as comments, and every command of it, each fit to be pasted into a shell. */
export function dryRun(plan: Plan): string {
  const pairs = cellsOf(plan.suite.tasks).map(({ task, scenario }) => pair(plan, task, scenario));
  return [facts(plan), ...pairs].join('\n\n');
}

/** The load tool and the time, and what a report would say of how it was measured. */
function facts(plan: Plan): string {
  using awake = keepCoresAwake(plan.keepAwake);
  const analysis = analyse(emptyResult(plan, awake));
  const { tool, version, programs } = plan.tool;
  const paths = programs.map(({ host, path }) => (host ? `${host.name}:${path}` : path));
  const shares = new Set(plan.suite.tasks.flatMap(({ rateShare }) => rateShare ?? []));
  const warnings = analysis.verdicts.filter(({ kind }) => kind !== 'stopped');
  const lines = [
    `${tool.name} ${version} (${paths.join(', ')}), for about ${asDuration(plannedSeconds(plan))}, on free ports.`,
    ...[...shares].map((share) => `At ${asPercent(share)} of the rate that the baseline answers when the run begins.`),
    ...methodNotes(analysis),
    ...warnings.map((warning) => `Warning: ${asRemark(warning)}`),
  ];
  return lines.map((line) => `# ${line}`).join('\n');
}

function pair(plan: Plan, task: LoadedTask, scenario: Scenario): string {
  const { sliceSeconds } = plan.configuration;
  const commandsOf = (load: TaskLoad) =>
    SIDES.map((side) =>
      loadCommands(plan.tool, { ...load, origin: `http://${plan.listen}:${PORTS[side]}` }, plan.pinning)
        .map(({ host, argv }) => shellWords(host ? ['ssh', host.name, shellWords(argv)] : argv))
        .join(' & '),
    );
  return [
    `# ${labelOf(task, scenario)} and the baseline: the servers`,
    ...serverCommands(plan, task, task.baseline, 'baseline'),
    ...serverCommands(plan, task, scenario, 'scenario'),
    '# alternating slices: one, then the other',
    ...commandsOf(loadOf(plan, task, sliceSeconds)),
    '# duet slices: both at once',
    ...commandsOf(loadOf(plan, task, sliceSeconds, 2)),
  ].join('\n');
}

/** Of the server, after its sink if it needs one. */
function serverCommands(plan: Plan, task: LoadedTask, scenario: Scenario, side: Side): string[] {
  const { suite, pinning, configuration } = plan;
  const sinkPort = SINK_PORTS[side];
  const measured = asMeasured(task, scenario, configuration.export, `127.0.0.1:${sinkPort}`);
  const variables = Object.entries(serverEnv(measured, plan.listen, PORTS[side]));
  const env = variables.map(([name, value]) => `${name}=${shellWords([value])}`);
  const command = shellWords(pinned(scenario.command, pinning?.serverCore));
  const server = `(cd ${shellWords([scenario.cwd ?? suite.cwd])} && ${env.join(' ')} ${command})`;
  return needsSink(task, scenario) ? [shellWords(sinkArgv(sinkPort, pinning)), server] : [server];
}
