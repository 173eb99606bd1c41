import type { Bench } from '../measure/solo.ts';
import { Problem } from '../problem.ts';
import type { Proof } from '../results/schema.ts';
import { checkAnswer } from '../server/check.ts';
import { startServer } from '../server/server.ts';
import type { Scenario, Telemetry } from '../suite/schema.ts';
import { differences } from './compare.ts';
import { OtlpReceiver } from './receiver.ts';

const REQUESTS = 200;
const CONCURRENCY = 10;
/** How often a server is asked to export; what is to come has come after some of these. */
const EXPORT_INTERVAL_MS = 200;
const SETTLE_MS = 3 * EXPORT_INTERVAL_MS;

/** The variables by which OpenTelemetry SDKs are told where to export, and how often. */
const exportTo = (endpoint: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_BSP_SCHEDULE_DELAY: String(EXPORT_INTERVAL_MS),
  OTEL_METRIC_EXPORT_INTERVAL: String(EXPORT_INTERVAL_MS),
  // Must not exceed the interval.
  OTEL_METRIC_EXPORT_TIMEOUT: String(EXPORT_INTERVAL_MS),
});

/**
 * Has a fresh server of the scenario export to a receiver of the kit's own, sends a known number of requests, and
 * compares what arrives with what the scenario claims to record of each. Returns what was proven.
 * @throws Problem naming all that was expected and what was received.
 */
export async function prove(
  { suite, pinning }: Pick<Bench, 'suite' | 'pinning'>,
  scenario: Scenario & { telemetry: Telemetry },
): Promise<Proof> {
  await using receiver = new OtlpReceiver();
  const server = await startServer(scenario, suite.cwd, pinning, exportTo(receiver.endpoint));
  try {
    const url = `http://127.0.0.1:${server.port}${suite.request.path}`;
    await sendAll(() => checkAnswer(scenario.name, url, suite.request, suite.answer));
    await Bun.sleep(SETTLE_MS);
  } finally {
    // SIGTERM: the last chance to export, for what does it only then.
    await server.child.stop();
  }
  const found = differences(scenario.telemetry, receiver.received, REQUESTS);
  if (found.length > 0) {
    throw new Problem(
      `Scenario ${scenario.name} does not do what it claims, after ${REQUESTS} requests: ${found.join('; ')}`,
      'Mend the server, or the telemetry that the suite declares',
    );
  }
  const { spans, points } = receiver.received;
  return {
    scenario: scenario.name,
    requests: REQUESTS,
    concurrency: CONCURRENCY,
    spans: spans.length,
    traces: new Set(spans.map(({ traceId }) => traceId)).size,
    metrics: points.map(({ metric, attributes, count }) => ({ name: metric, attributes, count })),
  };
}

async function sendAll(send: () => Promise<void>): Promise<void> {
  let left = REQUESTS;
  const worker = async () => {
    while (left-- > 0) await send();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
