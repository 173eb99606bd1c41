import type {
  ScenarioInput,
  SpanInput,
  SuiteInput,
  TaskInput,
  TelemetryInput,
} from '../../harness/suite/suite-schema.ts';
import { level } from '../levels.ts';
import { auto, bare } from '../tracers/node/rows.ts';
import { activeRequests, duration, recorded, serverSpan } from '../tracers/rows.ts';
import { LARGE_QUEUE, LARGE_QUEUE_REMARK } from '../tracers/span-queue.ts';

const sizes = ['request', 'response'].map((of) => ({
  name: `http.server.${of}.body.size`,
  attributes: recorded,
}));
const BY_GRPC = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };

/**
 * A runtime whose servers are in the folder of its name: the first is bare, the baseline of the
 * others.
 */
interface Runtime {
  name: string;
  title: string;
  /** Prints the version of the runtime, and then of packages. */
  versions: string;
  packages?: string;
  /** Its command, by words that hold no space. */
  bare: string;
  /** `run` in place of `bare`, if it starts otherwise. */
  instrumented: {
    name: string;
    title: string;
    run?: string;
    env?: Record<string, string>;
    telemetry: TelemetryInput;
  }[];
}

const go: Runtime = {
  name: 'go',
  title: 'Go net/http',
  versions: "go version; go list -m -f '{{if not .Indirect}}{{.Path}} {{.Version}}{{end}}' all",
  bare: 'sh ../start.sh build/bare',
  instrumented: [
    { name: 'otelhttp', title: 'otelhttp, OTLP over HTTP', env: {} },
    { name: 'otelhttp-grpc', title: 'otelhttp, OTLP over gRPC', env: BY_GRPC },
  ].map((row) => ({
    ...row,
    run: 'sh ../start.sh build/instrumented',
    telemetry: { span: serverSpan('GET /'), metrics: [duration, ...sizes] },
  })),
};

const DENO = 'sh deno.sh run --no-remote --allow-net --allow-env server.js';
const deno: Runtime = {
  name: 'deno',
  title: 'Deno',
  packages: 'deno',
  versions: 'sh deno.sh --version',
  bare: DENO,
  instrumented: [
    {
      name: 'deno-otel',
      title: 'built-in OpenTelemetry',
      env: { OTEL_DENO: 'true' },
      telemetry: {
        span: serverSpan('GET', { ...recorded, 'http.response.status_code': '200' }),
        metrics: [duration, ...sizes, activeRequests],
        ignore: [{ pattern: '^v8js[.]' }],
      },
    },
  ],
};

/** By the conventions before those that are stable, to which it keeps by default. */
const recordedBefore = { 'http.method': 'GET', 'http.status_code': 200 };
const sending: SpanInput = { name: 'GET / http send' };
const UVICORN = 'build/bin/uvicorn server:app --host {host} --port {port} --log-level warning';
const python: Runtime = {
  name: 'python',
  title: 'FastAPI',
  versions: 'build/bin/python --version; build/bin/pip freeze',
  bare: `sh ../start.sh ${UVICORN}`,
  instrumented: [
    {
      name: 'opentelemetry-instrument',
      title: 'opentelemetry-instrument',
      run: `sh ../start.sh build/bin/opentelemetry-instrument ${UVICORN}`,
      telemetry: {
        span: serverSpan('GET /', { ...recordedBefore, 'http.route': '/' }, [sending, sending]),
        metrics: [
          { name: 'http.server.duration', attributes: recordedBefore },
          { name: 'http.server.response.size', attributes: recordedBefore },
          activeRequests,
        ],
      },
    },
  ],
};

const JAVA = '-Dsun.net.httpserver.nodelay=true -cp build Server';
const java: Runtime = {
  name: 'java',
  title: 'Java, HttpServer of the JDK',
  versions:
    'echo java $(java --version | head -1); echo opentelemetry-javaagent $(java -jar build/opentelemetry-javaagent.jar)',
  bare: `sh ../start.sh java ${JAVA}`,
  instrumented: [
    {
      name: 'javaagent',
      title: 'opentelemetry-javaagent',
      run: `sh ../start.sh java -javaagent:build/opentelemetry-javaagent.jar ${JAVA}`,
      telemetry: {
        span: serverSpan('GET /'),
        metrics: [duration],
        ignore: [{ pattern: '^(jvm|otlp[.]exporter)[.]' }, 'queueSize', 'processedSpans'],
      },
    },
  ],
};

/** Those of `tracers-node`. */
const node = [
  { ...bare('http'), name: 'node', title: 'Node' },
  { ...auto('http', 3), name: 'auto-instrumentations', title: 'auto-instrumentations-node' },
].map(({ cwd, packages, ...scenario }) => ({
  ...scenario,
  optional: true,
  cwd: `../${cwd}`,
  packages: [packages ?? []].flat().map((folder) => `../${folder}`),
}));

/** Its servers, bare first. */
function serversOf({
  name,
  title,
  versions,
  packages,
  bare,
  instrumented,
}: Runtime): ScenarioInput[] {
  const words = (line: string) => line.split(' ');
  const shared = {
    cwd: name,
    versions: ['sh', '-c', versions],
    optional: true,
    ...(packages && { packages }),
  };
  const rows = instrumented.map(({ run = bare, env, ...row }) => ({
    ...{ ...shared, ...row, command: words(run), env: { ...LARGE_QUEUE, ...env } },
    export: 'otlp' as const,
  }));
  return [{ ...shared, name, title, command: words(bare), telemetry: {} }, ...rows];
}

const bun = [
  { ...level('baseline'), name: 'bun', title: 'Hono on Bun' },
  {
    ...level('trace-active'),
    name: 'inspector',
    title: 'Hono on Bun, inspector',
    export: 'otlp' as const,
  },
].map((scenario) => ({ ...scenario, cwd: '../..' }));

const TASKS = [bun, node, ...[deno, go, python, java].map(serversOf)];

/**
 * What OpenTelemetry costs on each runtime, as its makers say to switch it on, each against its own
 * bare server. Bun's is this repository's inspector.
 */
export default {
  name: 'runtimes',
  title: 'Runtime by runtime',
  baseline: 'bun',
  prepare: ['sh', 'prepare.sh'],
  // A JVM with its agent, on one core.
  startWithinSeconds: 60,
  remarks: [LARGE_QUEUE_REMARK],
  tasks: TASKS.map((scenarios): TaskInput => {
    const [{ name = '', title = '' } = {}] = scenarios;
    const names = scenarios.map((scenario) => scenario.name);
    return {
      name,
      title,
      exchanges: [{ answer: { body: 'Hi' } }],
      baseline: name,
      scenarios: names,
    };
  }),
  scenarios: TASKS.flat(),
  full: { starts: 10, warmupSeconds: 30 },
  quick: { starts: 3 },
} satisfies SuiteInput;
