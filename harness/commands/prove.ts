import { interruptible } from '../machine/interruption.ts';
import { described } from '../proof/description.ts';
import { differences } from '../proof/discrepancies.ts';
import { exchangesOf, observe } from '../proof/proof.ts';
import { installPackages, prepare } from '../server/install.ts';
import { checkProgram, LOOPBACK } from '../server/server.ts';
import { withBodyFiles } from '../suite/bodies.ts';
import { loadSuite } from '../suite/load.ts';
import { serverOf } from '../suite/planned.ts';
import { scenariosOf, select } from '../suite/select.ts';
import type { Exchange, LoadedSuite, Scenario } from '../suite/suite-schema.ts';
import { telemetrySchema } from '../suite/telemetry.ts';
import { complain, print } from '../words/output.ts';

/** Of each exchange, in each of as many starts. */
const REQUESTS = 100;
const STARTS = 2;

/**
 * Prints the telemetry that scenarios record of each exchange, as their suite may claim it; what else was seen, to stderr.
 * Returns the exit status. @throws Problem for a server that does not start, or answers wrongly.
 */
export async function prove(only: string | undefined, options: { suite: string; tasks?: string[] }): Promise<number> {
  const names = { ...options, ...(only !== undefined && { scenarios: [only] }) };
  const suite = withBodyFiles(select(await loadSuite(options.suite), names));
  const scenarios = scenariosOf(suite.tasks).filter(({ name }) => only === undefined || name === only);
  const seen = await interruptible(async () => {
    for (const { name, packages } of scenarios) for (const folder of packages) await installPackages(folder, name);
    await prepare(suite);
    return Array.fromAsync(
      scenarios.flatMap((scenario) => exchangesOf(suite, scenario).map((exchange) => [scenario, exchange] as const)),
      ([scenario, exchange]) => seenOf(suite, scenario, exchange),
    );
  });
  return print(JSON.stringify(seen, null, 2));
}

async function seenOf(suite: LoadedSuite, scenario: Scenario, exchange: Exchange) {
  const { name } = scenario;
  const { method, path } = exchange.request;
  const server = serverOf(suite, scenario, [exchange], 'otlp');
  checkProgram(server);
  const place = { pinning: undefined, listen: LOOPBACK };
  const seen = await Array.fromAsync({ length: STARTS }, () => observe(place, server, [exchange], REQUESTS));
  const telemetry = described(seen, STARTS * REQUESTS);
  const claimed = telemetrySchema.parse(telemetry);
  const notAlways = seen.flatMap((each) => differences([claimed], REQUESTS, each));
  const notes = [...seen.flatMap(({ refused, notes }) => [...refused, ...notes]), ...notAlways];
  for (const note of new Set(notes)) complain(`${name}, ${method} ${path}: ${note}`);
  return { name, request: `${method} ${path}`, telemetry };
}
