import { findTool } from '../load/find.ts';
import { LOOPBACK } from '../machine/loopback.ts';
import { serverFor, telemetryOf } from '../plan/planned-server.ts';
import { throwIfEnding } from '../processes/child.ts';
import { interruptible } from '../processes/interruption.ts';
import { describeTelemetry } from '../proof/description.ts';
import { findDiscrepancies } from '../proof/discrepancies.ts';
import { type Observation, observe, type ProofWorld } from '../proof/observe.ts';
import { exchangesOf } from '../proof/proof.ts';
import { checkProgram } from '../server/launch.ts';
import type { Place } from '../server/server.ts';
import { cautionsOf } from '../settle/cautions.ts';
import { withRequestsAsSent } from '../settle/requests-as-sent.ts';
import { needsOf } from '../settle/setting.ts';
import { describeRefusals } from '../sink/refusals.ts';
import { installFor, prepare } from '../software/install.ts';
import { readSuite } from '../suite/read-suite.ts';
import { scenariosOf, select } from '../suite/select.ts';
import type { Exchange, Scenario, Suite } from '../suite/suite.ts';
import type { TelemetryInput } from '../suite/suite-schema.ts';
import { type Telemetry, telemetrySchema } from '../suite/telemetry.ts';
import { orUndefined, problemLine, ScenarioProblem } from '../words/errors.ts';
import { EXIT_STATUS, print, printToStderr } from '../words/output.ts';

/**
 * The command `prove`: it prints what scenarios record of a request, as their suite may claim it.
 */

export interface ProveOptions {
  /** A name in `suites/`, or the path of a suite file. */
  suite: string;
  /** Names of tasks; all of the suite if left out. */
  tasks?: string[];
}

/** What a scenario recorded of one exchange. */
interface Recorded {
  name: string;
  /** What was requested, as method and path. */
  request: string;
  telemetry: TelemetryInput;
}

/** So many requests of each exchange, in each of so many starts. */
const REQUESTS = 100;
const STARTS = 2;
const PLACE: Place = { pinning: undefined, listen: LOOPBACK };

/**
 * Prints the telemetry that scenarios record of each exchange; on stderr what else was seen, and
 * which scenarios fail.
 * @param only the scenario to watch; all of the suite if undefined
 * @returns the exit status: a failure unless something was recorded, and all but optional scenarios
 * did not fail
 * @throws Problem for what is wrong with no scenario alone
 */
export async function prove(
  only: string | undefined,
  options: ProveOptions,
  world?: ProofWorld,
): Promise<number> {
  const names = only === undefined ? options : { ...options, scenarios: [only] };
  const wanted = select(await readSuite(options.suite), names);
  const scenarios = scenariosOf(wanted.tasks).filter(
    ({ name }) => only === undefined || name === only,
  );
  for (const caution of cautionsOf(wanted, [])) printToStderr(caution);
  const recorded: Recorded[] = [];
  const failed = await interruptible(() => recordEach(wanted, scenarios, recorded, world)).finally(
    () => {
      // What was recorded before an interruption is kept.
      if (recorded.length > 0) print(JSON.stringify(recorded, null, 2));
    },
  );
  const isPassed = recorded.length > 0 && failed.every(({ optional }) => optional);
  return isPassed ? EXIT_STATUS.success : EXIT_STATUS.failure;
}

/** Adds what scenarios record of each exchange to a list. Returns the scenarios that fail. */
async function recordEach(
  wanted: Suite,
  scenarios: Scenario[],
  recorded: Recorded[],
  world?: ProofWorld,
): Promise<Scenario[]> {
  const suite = await asSent(wanted);
  const notInstalled = await forEachOf(scenarios, installFor);
  await prepare(suite);
  const installed = scenarios.filter((scenario) => !notInstalled.includes(scenario));
  const notRecorded = await forEachOf(installed, async (scenario) => {
    for (const exchange of exchangesOf(suite, scenario)) {
      const each = await record(suite, scenario, exchange, world);
      // A server that Ctrl-C ended may not have sent all that it had.
      throwIfEnding();
      recorded.push(each);
    }
  });
  return [...notInstalled, ...notRecorded];
}

/**
 * Returns the suite with what the load tool adds to requests, such as the type of a body; without a
 * tool, as it is.
 */
async function asSent(suite: Suite): Promise<Suite> {
  const tool = orUndefined(() => findTool('auto', needsOf(suite)));
  return tool ? withRequestsAsSent(suite, { tool, ...PLACE }) : suite;
}

/** Does work for each scenario, and says which it fails for. Returns those. */
async function forEachOf(
  scenarios: Scenario[],
  work: (scenario: Scenario) => Promise<void>,
): Promise<Scenario[]> {
  const failed: Scenario[] = [];
  for (const scenario of scenarios)
    await work(scenario).catch((error) => {
      if (!(error instanceof ScenarioProblem)) throw error;
      // A server that Ctrl-C ended has not failed.
      throwIfEnding();
      failed.push(scenario);
      printToStderr(`${scenario.optional ? 'Skipped' : 'tracetax'}: ${problemLine(error)}`);
    });
  return failed;
}

/**
 * Watches what a scenario records of an exchange, and prints what its suite should know of that.
 */
async function record(
  suite: Suite,
  scenario: Scenario,
  exchange: Exchange,
  world?: ProofWorld,
): Promise<Recorded> {
  const server = serverFor(suite, scenario, [exchange], 'otlp');
  checkProgram(server);
  const starts = await Array.fromAsync({ length: STARTS }, () =>
    observe(PLACE, server, { exchanges: [exchange], requestsEach: REQUESTS }, world),
  );
  const telemetry = describeTelemetry(starts, STARTS * REQUESTS);
  const claim = telemetryOf(exchange, scenario);
  const notes = new Set([
    ...starts.flatMap(({ refused, notes }) => [...describeRefusals(refused), ...notes]),
    ...claimNotes(starts, 'what is printed', telemetrySchema.parse(telemetry)),
    ...(claim ? claimNotes(starts, 'what its suite declares', claim) : []),
    ...(mustRecord(suite, scenario) ? silenceNotes(telemetry, starts[0]?.said) : []),
    ...samplingNotes(telemetry),
  ]);
  const request = `${exchange.request.method} ${exchange.request.path}`;
  for (const note of notes) printToStderr(`${scenario.name}, ${request}: ${note}`);
  return { name: scenario.name, request, telemetry };
}

/** Returns why a run would refuse a claim, by what was observed. */
function claimNotes(starts: Observation[], what: string, claim: Telemetry): string[] {
  const discrepancies = starts.flatMap((start) => findDiscrepancies([claim], REQUESTS, start));
  return discrepancies.map((found) => `a run would refuse ${what}: ${found}`);
}

function mustRecord(suite: Suite, scenario: Scenario): boolean {
  const isBaseline = suite.tasks.some(({ baseline }) => baseline === scenario);
  return !isBaseline && !scenario.switchedOff;
}

/**
 * Returns a note if nothing was recorded of requests. A runtime may tell of itself all the same.
 */
function silenceNotes(telemetry: TelemetryInput, said?: string): string[] {
  const { span, metrics, logs, profiles } = telemetry;
  if (span || metrics || logs || profiles) return [];
  const advice =
    'see whether its tracer is on, and sends to {sink} (to /v1/traces, if code has the address)';
  return [`it recorded nothing of requests: ${advice}; ${said}`];
}

/** Returns a note if only a share of the requests was traced. */
function samplingNotes({ sampled }: TelemetryInput): string[] {
  return sampled !== undefined
    ? ['"sampled" is an estimate: write the share that its tracer is set to']
    : [];
}
