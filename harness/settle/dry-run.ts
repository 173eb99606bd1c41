import { loadCommand } from '../load/run-load.ts';
import { pinned } from '../machine/pinning.ts';
import { SIDES } from '../pair/sides.ts';
import { loadOf, type Plan, type PlannedRow } from '../plan/plan.ts';
import type { Side } from '../result/schema.ts';
import { environmentOf } from '../server/environment.ts';
import { LOOPBACK, launchOf } from '../server/server.ts';
import { sinkArgv } from '../sink/sink.ts';
import { asDuration } from '../words/progress.ts';
import { printable, shellWords } from '../words/text.ts';
import { asPercent } from '../words/units.ts';

/** A run takes free ports; by hand, these are what the commands name. */
const PORTS = { baseline: 3000, scenario: 3001 };
const SINK_PORTS = { baseline: 4318, scenario: 4319 };

/** Every command of a run, fit to be pasted into a shell; and as comments, what they don't tell. */
export function dryRun(plan: Plan): string {
  const { tool, version } = plan.tool;
  const shares = new Set(plan.header.suite.tasks.flatMap(({ rateShare }) => rateShare ?? []));
  const rates = [...shares].map(
    (share) => `# At ${asPercent(share)} of the rate that the baseline answers.`,
  );
  const facts = `# ${tool.name} ${version}, for about ${asDuration(plan.seconds.all)}, on free ports.`;
  const commands = plan.rows.flatMap((row) => ['', ...pairCommands(plan, row)]);
  return printable([facts, ...rates, ...serviceCommands(plan), ...commands].join('\n'));
}

function pairCommands(plan: Plan, row: PlannedRow): string[] {
  const loadCommands = (servers: 1 | 2) =>
    SIDES.map((side) => {
      const load = loadOf(row.task, plan.header.configuration.sliceSeconds, servers);
      const argv = loadCommand(
        plan.tool,
        { ...load, origin: `http://${plan.listen}:${PORTS[side]}` },
        plan.pinning,
      );
      return shellWords(plan.tool.host ? ['ssh', plan.tool.host.name, shellWords(argv)] : argv);
    });
  return [
    `# ${row.label} and the baseline: the servers`,
    ...SIDES.flatMap((side) => serverCommands(plan, row, side)),
    '# alternating slices: one, then the other',
    ...loadCommands(1),
    '# duet slices: both at once',
    ...loadCommands(2),
  ];
}

/** What must run meanwhile; `{service:NAME}` below stands for its address. */
function serviceCommands({ rows, pinning }: Plan): string[] {
  const services = new Set(rows.flatMap(({ scenario }) => scenario.services));
  return [...services].flatMap(({ name, command, cwd }) => {
    const env = environmentOf({ cwd, command, env: { TMPDIR: 'FOLDER' } }, LOOPBACK, 'PORT');
    return [
      `# {service:${name}}, on a port and with a folder of its own`,
      startLine(cwd, env, pinned(command, pinning?.toolCores)),
    ];
  });
}

/** Of the server, after its sink if it needs one. */
function serverCommands({ listen, pinning }: Plan, row: PlannedRow, side: Side): string[] {
  const { cwd, sink, receiver } = row[side];
  const { command, env } = launchOf(
    row[side],
    listen,
    PORTS[side],
    `127.0.0.1:${SINK_PORTS[side]}`,
  );
  const server = startLine(cwd, env, pinned(command, pinning?.serverCore));
  // Nobody listens where a receiver that is gone would be.
  const hasSink = sink && receiver !== 'gone';
  return hasSink ? [shellWords(sinkArgv(SINK_PORTS[side], pinning, row[side])), server] : [server];
}

/** Starts a command in its folder, with these variables, and without those that are undefined. */
function startLine(cwd: string, env: Record<string, string | undefined>, argv: string[]): string {
  const variables = Object.entries(env);
  const gone = variables.flatMap(([name, value]) => (value === undefined ? ['-u', name] : []));
  const set = variables.flatMap(([name, value]) => (value === undefined ? [] : `${name}=${value}`));
  return `(cd ${shellWords([cwd])} && ${shellWords(['env', ...gone, ...set, ...argv])})`;
}
