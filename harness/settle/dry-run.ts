import { untilText } from '../analysis/aims.ts';
import type { FoundTool } from '../load/find.ts';
import { copyPath } from '../load/host.ts';
import { filesOf, loadCommand, loadCommandThere } from '../load/run-load.ts';
import { LOOPBACK } from '../machine/loopback.ts';
import { pinned } from '../machine/pinning.ts';
import { MIN_COST_TO_BE_ALONE } from '../pair/cpu-slices.ts';
import { SIDES } from '../pair/sides.ts';
import type { Plan, PlannedRow, PlannedTask } from '../plan/plan.ts';
import { loadOf, type TaskLoad } from '../plan/task-load.ts';
import type { Side } from '../result/schema.ts';
import { isPaced } from '../result/steady-rate.ts';
import { environmentOf } from '../server/environment.ts';
import { launchOf } from '../server/launch.ts';
import { sinkArgv } from '../sink/sink.ts';
import type { Service } from '../suite/suite.ts';
import { asDuration } from '../words/progress.ts';
import { printable, quoteCommand } from '../words/text.ts';
import { asPercent } from '../words/units.ts';

/** A run takes free ports; by hand, the commands name these. */
const PORTS = { baseline: 3000, scenario: 3001 };
const SINK_PORTS = { baseline: 4318, scenario: 4319 };

/** A run makes a folder of its own on the load host; by hand, the commands name this one. */
const HOST_FOLDER = 'tracetax';

/** What a dry run prints, and with which load tool. */
type DryRun = Readonly<{ plan: Plan; tool: FoundTool }>;

/**
 * Returns every command of a run, fit to be pasted into a shell; and as comments, what they don't
 * say.
 */
export function dryRun({ plan, tool }: DryRun): string {
  const lines = [
    overviewLine({ plan, tool }),
    ...rateLines(plan),
    ...serviceLines(plan),
    ...copyLines({ plan, tool }),
    ...plan.rows.flatMap((row) => ['', ...pairLines({ plan, tool }, row)]),
  ];
  return printable(lines.join('\n'));
}

function overviewLine({ plan, tool }: DryRun): string {
  const { name } = tool.tool;
  const time = `for about ${timeText(plan)}, on free ports`;
  const { atRates } = tool;
  const beside = atRates ? `, and ${nameText(atRates)} at steady rates` : '';
  if (tool.version !== null) return `# ${name} ${tool.version}${beside}, ${time}.`;
  const where = tool.host ? `on ${tool.host.name}` : 'here';
  return `# ${name}, ${time}. It is not installed ${where}: install it before you measure.`;
}

function nameText({ tool: { name }, version }: FoundTool): string {
  if (version !== null) return `${name} ${version}`;
  return `${name} (not installed: install it before you measure)`;
}

/**
 * Returns how long the run takes: from the shortest to the longest, if what it shows decides it.
 */
function timeText({ header, expectedSeconds }: Plan): string {
  const { pairs, mostPairs } = header.configuration;
  const until = untilText(header);
  const shortest = asDuration(expectedSeconds.run);
  if (until === '') return shortest;
  const longest = asDuration(expectedSeconds.longestRun);
  const time = shortest === longest ? shortest : `${shortest} to ${longest}`;
  return `${time} (${pairs} to ${mostPairs} pairs a row, until it is ${until})`;
}

function rateLines({ header }: Plan): string[] {
  const shares = new Set(header.suite.tasks.flatMap(({ rateShare }) => rateShare ?? []));
  return [...shares].map(
    (share) => `# At ${asPercent(share)} of the rate that the baseline answers.`,
  );
}

/**
 * Returns what starts the suite's services. They run meanwhile; `{service:NAME}` stands for their
 * address.
 */
function serviceLines({ rows, pinning }: Plan): string[] {
  const services = new Set(rows.flatMap(({ scenario }) => scenario.services));
  return [...services].flatMap((service) => [
    `# {service:${service.name}}, on a port and with a folder of its own`,
    serviceLine(service, pinning?.toolCores),
  ]);
}

function serviceLine({ command, cwd }: Service, cores: string | undefined): string {
  const env = environmentOf({ cwd, command, env: { TMPDIR: 'FOLDER' } }, LOOPBACK, 'PORT');
  return commandInFolder(cwd, env, pinned(command, cores));
}

/** Returns what brings files to the load host; nothing if the load needs none there. */
function copyLines({ plan, tool }: DryRun): string[] {
  const { host } = tool;
  const copies = [...copiesFor({ plan, tool })];
  if (!host || copies.length === 0) return [];
  return [
    `# what the load needs on ${host.name}: a run has a folder of its own there`,
    quoteCommand(['ssh', host.name, quoteCommand(['mkdir', '-p', HOST_FOLDER])]),
    ...copies.map(([file, copy]) => {
      const command = quoteCommand(['ssh', host.name, `cat >${quoteCommand([copy])}`]);
      return `${command} <${quoteCommand([file])}`;
    }),
  ];
}

/** Returns the path on the load host of each file that the loads of a run need there. */
function copiesFor({ plan, tool }: DryRun): Map<string, string> {
  const requests = plan.rows.flatMap(({ task }) => loadOf(task, 0).requests);
  const files = [...new Set(filesOf(tool, requests))];
  return new Map(files.map((file, index) => [file, copyPath(HOST_FOLDER, index, file)]));
}

function pairLines(dryRun: DryRun, row: PlannedRow): string[] {
  const { sliceSeconds } = dryRun.plan.header.configuration;
  return [
    `# ${row.label} and the baseline: the servers`,
    ...SIDES.flatMap((side) => serverLines(dryRun.plan, row, side)),
    '# alternating slices: one, then the other',
    ...SIDES.map((side) => loadLine(dryRun, side, loadOf(row.task, sliceSeconds))),
    ...cpuSliceLines(dryRun, row),
  ];
}

/** Returns the loads of duet slices, and of what the row may take instead. */
function cpuSliceLines(dryRun: DryRun, row: PlannedRow): string[] {
  const { sliceSeconds, duetSlices } = dryRun.plan.header.configuration;
  if (duetSlices === 0) return [];
  const duetLoad = loadOf(row.task, sliceSeconds, 2);
  return [
    '# duet slices: both at once',
    ...SIDES.map((side) => loadLine(dryRun, side, duetLoad)),
    ...(row.mayBeUnlike ? aloneLines(dryRun, row.task) : []),
  ];
}

/** Returns what a row takes in place of duets if it costs much. */
function aloneLines(dryRun: DryRun, task: PlannedTask): string[] {
  const { sliceSeconds, duetSlices } = dryRun.plan.header.configuration;
  const costsMuch = `if the row costs more than ${asPercent(MIN_COST_TO_BE_ALONE)} of the baseline`;
  const { tasks } = dryRun.plan.header.suite;
  const rateShare = tasks.find(({ name }) => name === task.name)?.rateShare;
  if (isPaced({ rate: task.rate, rateShare }))
    return [`# or ${duetSlices} more alternating slices, ${costsMuch}`];
  const load = loadOf(task, sliceSeconds * duetSlices);
  return [
    `# or turns, ${costsMuch}: both at once, stopped by turns`,
    ...SIDES.map((side) => loadLine(dryRun, side, load)),
  ];
}

function loadLine({ plan, tool }: DryRun, side: Side, load: TaskLoad): string {
  const origin = `http://${plan.listen}:${PORTS[side]}`;
  if (!tool.host) return quoteCommand(loadCommand(tool, { ...load, origin }, plan.pinning));
  const copies = copiesFor({ plan, tool });
  const command = loadCommandThere(
    tool,
    { ...load, origin },
    plan.pinning,
    (file) => copies.get(file) ?? file,
  );
  return quoteCommand(['ssh', tool.host.name, quoteCommand(command)]);
}

/** Returns what starts the server, after its sink if it has one. */
function serverLines({ listen, pinning }: Plan, row: PlannedRow, side: Side): string[] {
  const planned = row[side];
  const sinkAddress = `${LOOPBACK}:${SINK_PORTS[side]}`;
  const { command, env } = launchOf(planned, listen, PORTS[side], sinkAddress);
  const serverLine = commandInFolder(planned.cwd, env, pinned(command, pinning?.serverCore));
  // Nobody listens where a receiver would be that is gone.
  const hasSink = planned.sink && planned.receiver !== 'gone';
  if (!hasSink) return [serverLine];
  return [quoteCommand(sinkArgv(SINK_PORTS[side], pinning, planned)), serverLine];
}

/**
 * Returns what starts a command in its folder, with these variables, and without those that are
 * undefined.
 */
function commandInFolder(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  argv: readonly string[],
): string {
  const unsetOptions: string[] = [];
  const assignments: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) unsetOptions.push('-u', name);
    else assignments.push(`${name}=${value}`);
  }
  const command = quoteCommand(['env', ...unsetOptions, ...assignments, ...argv]);
  return `(cd ${quoteCommand([cwd])} && ${command})`;
}
