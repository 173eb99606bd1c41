import { createCipheriv } from 'node:crypto';
import type { ScenarioInput, SuiteInput, TaskInput } from '../../harness/suite/suite-schema.ts';

const BODY_BYTES = 2_000_000;

type Runtime = 'bun' | 'node';

/**
 * Servers on node:http that read the body by node's streams, and by web streams; the first of each
 * does no more.
 */
const NODE_STREAMS = ['raw', 'stream'];
const WEB_STREAMS = ['raw-web', 'web', 'web-high-water-mark'];
/** Servers on Bun.serve that read the body. */
const BUN_SERVE = ['array-buffer', 'reader', 'body-limit'];

/** What the measuring of a body's size costs, on Bun and on Node. */
export default (): SuiteInput => {
  const body = bodyOf(BODY_BYTES);
  const scenario = (runtime: Runtime, name: string, script: string): ScenarioInput => ({
    name: `${runtime}-${name}`,
    title: name,
    command: runtime === 'bun' ? ['bun', 'run', script] : ['node', script],
    optional: runtime === 'node',
  });
  const onHttp = (runtime: Runtime) =>
    [...NODE_STREAMS, ...WEB_STREAMS].map((name) => scenario(runtime, name, `${name}.mjs`));
  const task = (
    name: string,
    title: string,
    runtime: Runtime,
    names: string[],
    chunked = true,
  ): TaskInput => {
    const scenarios = names.map((each) => `${runtime}-${each}`);
    const answer = { headers: { 'x-body-size': String(BODY_BYTES) } };
    const exchanges = [{ request: { method: 'POST' as const, body, chunked }, answer }];
    return { name, title, exchanges, baseline: scenarios[0] as string, scenarios };
  };
  return {
    name: 'body-size',
    title: 'Measuring the size of a request body',
    baseline: 'bun-raw',
    isInstrumentation: false,
    tasks: [
      task('bun-node-streams', "Bun, node:http, node's streams", 'bun', NODE_STREAMS),
      task('bun-web-streams', 'Bun, node:http, web streams', 'bun', WEB_STREAMS),
      task('bun-serve', 'Bun.serve, beside raw on node:http', 'bun', ['raw', ...BUN_SERVE]),
      task(
        'bun-content-length',
        'Bun.serve, body sent with its length',
        'bun',
        ['array-buffer', 'content-length'],
        false,
      ),
      task('node-node-streams', "Node, node:http, node's streams", 'node', NODE_STREAMS),
      task('node-web-streams', 'Node, node:http, web streams', 'node', WEB_STREAMS),
    ],
    scenarios: [
      ...onHttp('bun'),
      ...[...BUN_SERVE, 'content-length'].map((name) => scenario('bun', name, `bun-${name}.ts`)),
      ...onHttp('node'),
    ],
    // One alternating slice in each pair: they are long, because requests are.
    full: { connections: 3, durationSeconds: 10, duetSlices: 1, warmupSeconds: 40 },
    quick: { connections: 3, duetSlices: 1 },
  };
};

/**
 * Pseudo-random text, always the same, which no layer can compress by much: the key stream of AES
 * in base64.
 */
function bodyOf(bytes: number): string {
  const stream = createCipheriv('aes-128-ctr', new Uint8Array(16), new Uint8Array(16));
  return stream.update(new Uint8Array(bytes)).toString('base64').slice(0, bytes);
}
