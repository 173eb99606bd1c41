import type { Proof, Usage } from '../result/schema.ts';
import { checkAnswer } from '../server/check.ts';
import { type Place, startServer } from '../server/server.ts';
import { exporting } from '../suite/exporting.ts';
import { exchangesOf, type LoadedTask, scenariosOf } from '../suite/load.ts';
import { telemetryOf } from '../suite/suite-schema.ts';
import { Problem } from '../words/errors.ts';
import { differences } from './discrepancies.ts';
import { Receiver } from './receiver.ts';

/** Of all exchanges together, and of each at least. */
const REQUESTS = 200;
const LEAST_REQUESTS = 20;
const CONCURRENCY = 10;
/** How often a server is asked to export; what is to come has come after some of these. */
const EXPORT_INTERVAL_MS = 200;
const SETTLE_MS = 3 * EXPORT_INTERVAL_MS;

/** The variables by which OpenTelemetry SDKs are told where to export, whatever the scenario says, and how often. */
const exportTo = (address: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://${address}`,
  OTEL_BSP_SCHEDULE_DELAY: String(EXPORT_INTERVAL_MS),
  OTEL_METRIC_EXPORT_INTERVAL: String(EXPORT_INTERVAL_MS),
  // Must not exceed the interval.
  OTEL_METRIC_EXPORT_TIMEOUT: String(EXPORT_INTERVAL_MS),
  DD_TRACE_FLUSH_INTERVAL: String(EXPORT_INTERVAL_MS),
});

/** A scenario, and the exchanges of which it says what it records. */
type Claim = ReturnType<typeof claimsOf>[number];

/** What there is to prove of the scenarios of these tasks: each request once, also if several tasks send it. */
export function claimsOf(tasks: LoadedTask[]) {
  return scenariosOf(tasks).flatMap((scenario) => {
    const exchanges = exchangesOf(tasks, scenario).flatMap((exchange) => {
      const claimed = telemetryOf(exchange, scenario);
      return claimed ? [{ ...exchange, claimed }] : [];
    });
    const distinct = new Map(exchanges.map((each) => [JSON.stringify(each.request), each]));
    return distinct.size > 0 ? [{ scenario, exchanges: [...distinct.values()] }] : [];
  });
}

/**
 * Has a fresh server of the scenario export to a receiver of the kit's own, sends a known number of each request, and
 * returns what was proven. @throws Problem naming all in which what arrived is not what the scenario claims.
 */
export async function prove(place: Place, { scenario, exchanges }: Claim): Promise<Proof> {
  await using receiver = new Receiver();
  const exporter = exporting(scenario, 'otlp', receiver.address);
  const server = await startServer(exporter, place, exportTo(receiver.address));
  await using child = server.child;
  const each = Math.max(LEAST_REQUESTS, Math.round(REQUESTS / exchanges.length));
  for (const exchange of exchanges)
    for (let left = each; left > 0; left -= CONCURRENCY) {
      const ask = () => checkAnswer(scenario, server.origin, exchange);
      await Promise.all(Array.from({ length: Math.min(left, CONCURRENCY) }, ask));
    }
  await Bun.sleep(SETTLE_MS);
  const runtime = runtimeOf(await server.probe.end());
  // SIGTERM: the last chance to export, for what does it only then.
  await child.stop();
  const requests = each * exchanges.length;
  const expected = exchanges.map(({ claimed }) => ({ claimed, requests: each }));
  const found = differences(expected, receiver);
  const { spans, points } = receiver;
  const { name } = scenario;
  if (found.length > 0) {
    const isTraced = exchanges.some(({ claimed }) => claimed.span && claimed.sampled > 0);
    const what = isTraced && spans.length === 0 ? `records nothing on ${runtime}` : 'does not do what it claims';
    throw new Problem(
      `Scenario ${name} ${what}, after ${requests} requests: ${found.slice(0, 5).join('; ')}`,
      'Fix the server, or the telemetry that the suite declares',
    );
  }
  if (child.exit?.signal === 'SIGKILL')
    throw new Problem(`Scenario ${name} did not end on SIGTERM, and was killed`, 'Let it end within 5 s of SIGTERM');
  return {
    scenario: name,
    requests,
    spans: spans.length,
    traces: new Set(spans.map(({ traceId }) => traceId)).size,
    metrics: points.map(({ metric }) => ({ name: metric })),
  };
}

function runtimeOf(usage: Usage | null): string {
  if (!usage) return 'its runtime';
  const { name, version } = usage.runtime;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${version}`;
}
