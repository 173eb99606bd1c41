import type { InterimRemedy } from '../exchange/check.ts';
import { type FoundTool, findTool, toolToShow, withToolAtRates } from '../load/find.ts';
import { Host } from '../load/host.ts';
import { interimRemedyOf } from '../load/interim.ts';
import { checkConnections } from '../load/limits.ts';
import type { Need } from '../load/tool.ts';
import { machineFacts } from '../machine/environment.ts';
import { type IdleCores, tryKeepAwake, untouchedIdleCores } from '../machine/keep-awake.ts';
import { LOOPBACK } from '../machine/loopback.ts';
import { moveSelfTo, type Pinning, planPinning } from '../machine/pinning.ts';
import type { PlannedRow } from '../plan/plan.ts';
import { plannedRows } from '../plan/rows.ts';
import { METHOD, METHOD_AT_RATES, type Result, type ResultHeader } from '../result/schema.ts';
import { isPaced } from '../result/steady-rate.ts';
import { variablesOf } from '../server/environment.ts';
import { sentIn } from '../suite/select.ts';
import type { Suite } from '../suite/suite.ts';
import { Problem } from '../words/errors.ts';
import { configurationFor } from './configuration.ts';
import type { MeasureOptions } from './options.ts';

/** What a suite is measured with. */
export interface Setting {
  tool: FoundTool;
  /** Undefined if cores are not pinned. */
  pinning: Pinning | undefined;
  /** The address of this machine on which servers listen. */
  listen: string;
  /** What to do about interim answers that the load tool mistakes. */
  interimRemedy: InterimRemedy;
  /** All that a result says of it. */
  header: Omit<ResultHeader, 'suite' | 'proofs'>;
}

/** In place of the version of a load tool. */
const NOT_INSTALLED = 'not installed';

/**
 * Decides the load tool, the cores and the configuration. Unless nothing is to be measured, it also
 * moves this process off the server's core, and keeps idle cores awake. @throws Problem for what is
 * missing or unfit
 */
export async function settingFor(options: MeasureOptions, suite: Suite): Promise<Setting> {
  const { listen = LOOPBACK, loadHost, dryRun } = options;
  if (loadHost !== undefined && listen === LOOPBACK)
    throw new Problem(
      `Other hosts can't reach ${listen}`,
      'Name an address of this machine with --listen',
    );
  const configuration = configurationFor(options, suite);
  const rows = plannedRows(suite, configuration);
  checkConnections(Math.max(...rows.map(({ task }) => task.connections)));
  const pinningOrReason = planPinning(options.pin, rows.some(needsSink));
  const pinning = 'missing' in pinningOrReason ? undefined : pinningOrReason;
  if (pinning && !dryRun) moveSelfTo(pinning.toolCores);
  const host = await connectedHost(loadHost);
  const tool = loadToolFor(options, suite, host);
  const { keepAwake, ...idleCores } = await idleCoresFor(options, pinning);
  return {
    tool,
    pinning,
    listen,
    interimRemedy: interimRemedyOf(tool.tool),
    header: {
      method: suite.tasks.some(isPaced) ? METHOD_AT_RATES : METHOD,
      startedAt: new Date().toISOString(),
      configuration,
      tool: toolFacts(tool),
      ...(tool.atRates && { toolAtRates: toolFacts(tool.atRates) }),
      pinning: pinningOrReason,
      keepAwake,
      environment: { ...machineFacts(suite.cwd), ...idleCores, variables: variablesOf(rows) },
    },
  };
}

function needsSink({ baseline, scenario }: PlannedRow): boolean {
  return baseline.sink || scenario.sink;
}

async function connectedHost(name: string | undefined): Promise<Host | undefined> {
  if (name === undefined) return undefined;
  const host = new Host(name);
  await host.connected();
  return host;
}

async function idleCoresFor(
  { keepAwake, dryRun }: MeasureOptions,
  pinning: Pinning | undefined,
): Promise<IdleCores> {
  return dryRun ? untouchedIdleCores(keepAwake) : tryKeepAwake(keepAwake, pinning);
}

/**
 * Returns the load tool. Where only a part of the tasks is at a steady rate, these may have a tool
 * of their own: what fills a server best sends in bursts, or starts to count too late.
 */
function loadToolFor(
  { tool: wanted, dryRun }: MeasureOptions,
  suite: Suite,
  host: Host | undefined,
): FoundTool {
  const find = dryRun ? toolToShow : findTool;
  const needs = needsOf(suite);
  const tool = find(wanted, needs, host);
  const isMixed = suite.tasks.some(isPaced) && !suite.tasks.every(isPaced);
  return isMixed
    ? withToolAtRates(tool, () => find(wanted, { ...needs, 'steady rate': true }, host))
    : tool;
}

/** Returns what a result says of a load tool. */
function toolFacts({ tool, version, host }: FoundTool): Result['tool'] {
  return {
    name: tool.name,
    version: version ?? NOT_INSTALLED,
    host: host?.name ?? null,
    latencyFrom: tool.latencyFrom,
  };
}

/** Returns what the load tool must be able to send. */
export function needsOf({ tasks }: Suite): Partial<Record<Need, boolean>> {
  const requests = tasks.flatMap((task) => sentIn(task).map(({ request }) => request));
  const headers = requests.flatMap((request) => Object.keys(request.headers));
  return {
    'mix of requests': tasks.some(
      ({ exchanges, warmUp }) => exchanges.length > 1 || warmUp.length > 1,
    ),
    'Host header': headers.some((name) => name.toLowerCase() === 'host'),
    'steady rate': tasks.every(isPaced),
  };
}
