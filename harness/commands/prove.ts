import { findTool } from '../load/find.ts';
import { serverFor, telemetryOf } from '../plan/planned-server.ts';
import { interruptible } from '../processes/interruption.ts';
import { describeTelemetry } from '../proof/description.ts';
import { findDiscrepancies } from '../proof/discrepancies.ts';
import { observe } from '../proof/observe.ts';
import { exchangesOf } from '../proof/proof.ts';
import { checkProgram, LOOPBACK } from '../server/launch.ts';
import { withRequestsAsSent } from '../settle/requests-as-sent.ts';
import { needsOf } from '../settle/setting.ts';
import { describeRefusals } from '../sink/refusals.ts';
import { installFor, prepare } from '../software/install.ts';
import { readSuite } from '../suite/read-suite.ts';
import { scenariosOf, select } from '../suite/select.ts';
import type { Exchange, Scenario, Suite } from '../suite/suite.ts';
import { type Telemetry, telemetrySchema } from '../suite/telemetry.ts';
import { orUndefined, problemLine, ScenarioProblem } from '../words/errors.ts';
import { EXIT_STATUS, print, printToStderr } from '../words/output.ts';

/** Of each exchange, in each of as many starts. */
const REQUESTS = 100;
const STARTS = 2;
const PLACE = { pinning: undefined, listen: LOOPBACK };
const SILENT =
  'see whether its tracer is on, and sends to {sink} (to /v1/traces, if code has the address)';

/**
 * Prints the telemetry that scenarios record of each exchange, as their suite may claim it; what else was seen, to stderr,
 * and which scenarios fail. Returns the exit status. @throws Problem for what is wrong with no scenario alone.
 */
export async function prove(
  only: string | undefined,
  options: { suite: string; tasks?: string[] },
): Promise<number> {
  const names = { ...options, ...(only !== undefined && { scenarios: [only] }) };
  const asked = select(await readSuite(options.suite), names);
  const scenarios = scenariosOf(asked.tasks).filter(
    ({ name }) => only === undefined || name === only,
  );
  const seen: Awaited<ReturnType<typeof seenOf>>[] = [];
  const failed = new Set<Scenario>();
  const forEach = async (work: (scenario: Scenario) => Promise<void>) => {
    for (const scenario of scenarios.filter((each) => !failed.has(each)))
      await work(scenario).catch((error) => {
        if (!(error instanceof ScenarioProblem)) throw error;
        failed.add(scenario);
        printToStderr(`${scenario.optional ? 'Skipped' : 'tracetax'}: ${problemLine(error)}`);
      });
  };
  await interruptible(async () => {
    // With what the load tool adds to requests, such as the type of a body; without one, as the suite has them.
    const tool = orUndefined(() => findTool('auto', needsOf(asked)));
    const suite = tool ? await withRequestsAsSent(asked, { tool, ...PLACE }) : asked;
    await forEach(installFor);
    await prepare(suite);
    await forEach(async (scenario) => {
      for (const exchange of exchangesOf(suite, scenario))
        seen.push(await seenOf(suite, scenario, exchange));
    });
  });
  if (seen.length > 0) print(JSON.stringify(seen, null, 2));
  return seen.length > 0 && [...failed].every(({ optional }) => optional)
    ? EXIT_STATUS.success
    : EXIT_STATUS.failure;
}

async function seenOf(suite: Suite, scenario: Scenario, exchange: Exchange) {
  const isBaseline = suite.tasks.some(({ baseline }) => baseline === scenario);
  const request = `${exchange.request.method} ${exchange.request.path}`;
  const server = serverFor(suite, scenario, [exchange], 'otlp');
  checkProgram(server);
  const start = () => observe(PLACE, server, [exchange], REQUESTS);
  const seen = await Array.fromAsync({ length: STARTS }, start);
  const telemetry = describeTelemetry(seen, STARTS * REQUESTS);
  const refusal = (what: string, claim: Telemetry) =>
    seen.flatMap((each) =>
      findDiscrepancies([claim], REQUESTS, each).map(
        (found) => `a run would refuse ${what}: ${found}`,
      ),
    );
  const claim = telemetryOf(exchange, scenario);
  const notes = [
    ...seen.flatMap(({ refused, notes }) => [...describeRefusals(refused), ...notes]),
    ...refusal('what is printed', telemetrySchema.parse(telemetry)),
    ...(claim ? refusal('what its suite declares', claim) : []),
  ];
  // A runtime may tell of itself all the same.
  const isSilent = !(telemetry.span || telemetry.metrics || telemetry.logs);
  if (isSilent && !scenario.switchedOff && !isBaseline)
    notes.push(`it recorded nothing of requests: ${SILENT}; ${seen[0]?.said}`);
  if (telemetry.sampled)
    notes.push(`"sampled" is an estimate: write the share that its tracer is set to`);
  for (const note of new Set(notes)) printToStderr(`${scenario.name}, ${request}: ${note}`);
  return { name: scenario.name, request, telemetry };
}
