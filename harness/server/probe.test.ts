import { afterEach, expect, test } from 'bun:test';
import { type Scenario, scenarioSchema } from '../suite/suite-schema.ts';
import { type Server, startServer } from './server.ts';

const HTTP =
  "import('node:http').then((h) => h.createServer((q, s) => s.end('Hi')).listen(process.env.PORT, '127.0.0.1'))";
const scenario = (...command: string[]): Scenario => scenarioSchema.parse({ name: 'probed', command });
let server: Server | undefined;
afterEach(() => server?.child.stop());

const start = (each: Scenario) =>
  startServer(each, { suite: { cwd: process.cwd() }, pinning: undefined, listen: '127.0.0.1' });
const usageOf = async (each: Scenario, work: (url: string) => Promise<unknown>) => {
  server = await start(each);
  await server.probe.begin();
  await work(`${server.origin}/`);
  return server.probe.end();
};
const some = async (url: string) => {
  for (let count = 0; count < 200; count++) await (await fetch(url)).text();
  await Bun.sleep(120);
};

test.each([['bun'], ['node']])('%s tells what it used between two moments', async (runtime) => {
  if (!Bun.which(runtime)) return;
  const usage = await usageOf(scenario(runtime, '-e', HTTP), some);
  expect(usage?.runtime).toMatchObject({ name: runtime, mode: 'production' });
  const cpuUs = Number(usage?.cpuUserUs) + Number(usage?.cpuSystemUs);
  expect(cpuUs).toBeGreaterThan(1_000);
  expect(cpuUs).toBeLessThan(5_000_000);
  const { rssBytes, heapBytes, eventLoopDelayUs } = usage ?? {};
  expect(rssBytes?.max).toBeGreaterThan(10 * 1024 ** 2);
  expect(rssBytes?.max).toBeGreaterThanOrEqual(rssBytes?.mean as number);
  expect(heapBytes?.mean).toBeGreaterThan(10_000);
  expect(eventLoopDelayUs?.max).toBeGreaterThanOrEqual(eventLoopDelayUs?.p99 as number);
});

test('a stalled event loop shows', async () => {
  const stall = 'setTimeout(() => { const end = Date.now() + 300; while (Date.now() < end); }, 1500);';
  const usage = await usageOf(scenario('bun', '-e', stall + HTTP), () => Bun.sleep(2_200));
  expect(usage?.eventLoopDelayUs.max).toBeGreaterThan(200_000);
});

test('a server that is no JavaScript has no probe, and is not waited for', async () => {
  if (!Bun.which('python3')) return;
  const python = scenario('sh', '-c', 'exec python3 -m http.server --bind 127.0.0.1 $PORT');
  const startedAt = performance.now();
  expect(await usageOf(python, async () => {})).toBeNull();
  expect(performance.now() - startedAt).toBeLessThan(9_000);
});

test('options of Bun.serve may be an object of a class', async () => {
  const options = 'class Own { port = process.env.PORT; fetch() { return new Response(process.env.HOST); } }';
  server = await start(scenario('bun', '-e', `${options} Bun.serve(Object.freeze(new Own()));`));
  expect(await (await fetch(server.origin)).text()).toBe('127.0.0.1');
});

test.each([['bun'], ['node']])('a server on %s may have threads', async (runtime) => {
  if (!Bun.which(runtime)) return;
  const thread = "new URL('data:text/javascript,setInterval(() => {}, 1000)')";
  const source = `import('node:worker_threads').then(({ Worker }) => new Worker(${thread}).on('online', () => ${HTTP}));`;
  const usage = await usageOf(scenario(runtime, '-e', source), some);
  expect(usage?.runtime.name).toBe(runtime);
  expect(server?.child.exit).toBeUndefined();
});
