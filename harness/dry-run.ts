import { analyse } from './analysis/analysis.ts';
import { loadCommand } from './load/run-load.ts';
import { pinned } from './machine/pinning.ts';
import { loadOf, SIDES, type TaskLoad } from './pair/sides.ts';
import type { Plan, PlannedRow } from './plan.ts';
import { methodNotes, warningText } from './report/notes.ts';
import type { Side } from './result/schema.ts';
import { emptyResult, plannedSeconds } from './run.ts';
import { serverEnv } from './server/server.ts';
import { sinkArgv } from './sink/sink.ts';
import { asDuration } from './words/progress.ts';
import { printable, printableCommand, shellWords } from './words/text.ts';
import { asPercent } from './words/units.ts';

/** A run takes free ports; by hand, these are what the commands name. */
const PORTS = { baseline: 3000, scenario: 3001 };
const SINK_PORTS = { baseline: 4318, scenario: 4319 };

/** What a run would use and mark, as comments, and every command of it, each fit to be pasted into a shell. */
export function dryRun(plan: Plan): string {
  return [facts(plan), ...plan.rows.map((row) => pairCommands(plan, row))].join('\n\n');
}

/** The load tool and the time, and what a report would say of how it was measured. */
function facts(plan: Plan): string {
  const run = analyse(emptyResult(plan));
  const { tool, version, path, host } = plan.tool;
  const shares = new Set(plan.header.suite.tasks.flatMap(({ rateShare }) => rateShare ?? []));
  const warnings = run.warnings.filter(({ kind }) => kind !== 'stopped');
  const lines = [
    `${tool.name} ${version} (${host ? `${host.name}:` : ''}${path}), for about ${asDuration(plannedSeconds(plan))}, on free ports.`,
    ...[...shares].map((share) => `At ${asPercent(share)} of the rate that the baseline answers when the run begins.`),
    ...methodNotes(run),
    ...warnings.map((warning) => `Warning: ${warningText(warning)}`),
  ];
  // A line that ends early would be a command.
  return lines.map((line) => `# ${printable(line).replace(/\s+/g, ' ')}`).join('\n');
}

function pairCommands(plan: Plan, row: PlannedRow): string {
  const { sliceSeconds } = plan.header.configuration;
  const commandsOf = (load: TaskLoad) =>
    SIDES.map((side) => {
      const { host } = plan.tool;
      const argv = loadCommand(plan.tool, { ...load, origin: `http://${plan.listen}:${PORTS[side]}` }, plan.pinning);
      return shellWords(host ? ['ssh', host.name, shellWords(argv)] : argv);
    });
  return [
    `# ${row.label} and the baseline: the servers`,
    ...SIDES.flatMap((side) => serverCommands(plan, row, side)),
    '# alternating slices: one, then the other',
    ...commandsOf(loadOf(row.task, sliceSeconds)),
    '# duet slices: both at once',
    ...commandsOf(loadOf(row.task, sliceSeconds, 2)),
  ]
    .map(printableCommand)
    .join('\n');
}

/** Of the server, after its sink if it needs one. */
function serverCommands({ listen, pinning }: Plan, row: PlannedRow, side: Side): string[] {
  const { command, cwd, sink } = row[side];
  const variables = Object.entries(serverEnv(row[side], listen, PORTS[side], `127.0.0.1:${SINK_PORTS[side]}`));
  // Options come first.
  const [gone, set] = [
    variables.filter(([, value]) => value === undefined),
    variables.filter(([, value]) => value !== undefined),
  ];
  const env = ['env', ...gone.flatMap(([name]) => ['-u', name]), ...set.map((each) => each.join('='))];
  const server = `(cd ${shellWords([cwd])} && ${shellWords([...env, ...pinned([...command], pinning?.serverCore)])})`;
  return sink ? [shellWords(sinkArgv(SINK_PORTS[side], pinning)), server] : [server];
}
