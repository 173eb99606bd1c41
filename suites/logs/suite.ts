import type {
  ScenarioInput,
  SuiteInput,
  TaskInput,
  TelemetryInput,
} from '../../harness/suite/suite-schema.ts';
import { duration, localDetectorsEnv, recorded } from '../tracers/rows.ts';
import { LARGE_QUEUE, LARGE_QUEUE_REMARK } from '../tracers/span-queue.ts';

const LINES = 10;

/** What becomes of a request's lines; the first is the baseline of the others. */
const LOGS = [
  { logs: 'plain', title: 'Traced, lines as they are', sent: 0 },
  { logs: 'id', title: "Lines with the trace's id", sent: 0 },
  { logs: 'sent', title: "Lines with the trace's id, and sent by OTLP", sent: LINES },
];
const LIBRARIES = ['pino', 'winston'];

/** A queue for ten lines where there is room for one span. */
const LARGE_LOG_QUEUE = {
  OTEL_BLRP_MAX_QUEUE_SIZE: '655360',
  OTEL_BLRP_MAX_EXPORT_BATCH_SIZE: '8192',
};

function telemetryOf(sent: number): TelemetryInput {
  return {
    span: { name: 'GET', kind: 'SERVER', attributes: recorded },
    metrics: [duration],
    logs: { perRequest: sent },
    // Requests of the exporter itself.
    ignore: [{ pattern: '^http[.]client[.]' }],
  };
}

function scenariosOf(library: string): ScenarioInput[] {
  return LOGS.map(({ logs, title, sent }) => ({
    name: `${library}-${logs}`,
    title,
    command: ['node_modules/.bin/node', '--require', './trace.cjs', 'server.cjs'],
    packages: '.',
    export: 'otlp',
    flushesAtEnd: true,
    env: {
      ...LARGE_QUEUE,
      ...LARGE_LOG_QUEUE,
      LIBRARY: library,
      LOGS: logs,
      OTEL_LOGS_EXPORTER: 'otlp',
      ...localDetectorsEnv,
    },
    telemetry: telemetryOf(sent),
  }));
}

function taskOf(library: string): TaskInput {
  const names = LOGS.map(({ logs }) => `${library}-${logs}`);
  return {
    name: library,
    title: library,
    exchanges: [{ answer: { body: 'Hi' } }],
    baseline: names[0],
    scenarios: names,
  };
}

/**
 * What it costs to give the trace's id to the ten lines that a traced request logs, and to send
 * them: docs/tracers.md.
 */
export default {
  name: 'logs',
  title: 'Ten log lines a request',
  baseline: 'pino-plain',
  remarks: [
    LARGE_QUEUE_REMARK,
    'So it is with log records: OTEL_BLRP_MAX_QUEUE_SIZE is 655,360, OTEL_BLRP_MAX_EXPORT_BATCH_SIZE 8,192.',
  ],
  tasks: LIBRARIES.map(taskOf),
  scenarios: LIBRARIES.flatMap(scenariosOf),
  full: { warmupSeconds: 30 },
} satisfies SuiteInput;
