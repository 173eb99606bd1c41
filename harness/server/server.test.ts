// Servers as real processes: how they start or don't, what they get, what their probe tells, and
// what they must answer.
import { afterEach, expect, test } from 'bun:test';
import { checkAnswer, type InterimRemedy } from '../exchange/check.ts';
import { freePort } from '../machine/free-port.ts';
import type { PlannedServer } from '../plan/planned-server.ts';
import { membersOf, processes } from '../processes/processes.ts';
import { memoryBytes } from '../processes/usage.ts';
import type { Exchange } from '../suite/suite.ts';
import { taskSchema } from '../suite/suite-schema.ts';
import { fakeServer } from '../testing/fake-plan.ts';
import { testFolder } from '../testing/folder.ts';
import { ON_NODE } from '../testing/sources.ts';
import { problemLine } from '../words/errors.ts';
import { listeningSocketsOf } from './port.ts';
import { type Server, startServer } from './server.ts';

const { folder, write } = testFolder();
let server: Server | undefined;
afterEach(() => server?.child.stop());

const planned = (command: string[], env = {}): PlannedServer => ({
  ...fakeServer('x'),
  command,
  cwd: folder,
  env,
});
/** What most tests leave as it is. */
interface Start {
  env?: Record<string, string>;
  sinkAddress?: string;
  startWithinSeconds?: number;
  exchanges?: Exchange[];
  interimRemedy?: InterimRemedy;
}
const start = async (command: string[], more: Start = {}) => {
  const { env, sinkAddress, startWithinSeconds = 60, exchanges = [], interimRemedy } = more;
  server = await startServer({
    planned: { ...planned(command, env), startWithinSeconds },
    place: { pinning: undefined, listen: '127.0.0.1', interimRemedy },
    exchanges,
    sinkAddress,
  });
  return server;
};
const exchange = taskSchema.parse({ name: 'x', exchanges: [{}] }).exchanges[0] as Exchange;
/** What a server answers once it is ready, or the line that says why it does not. */
const answerOf = async (source: string, startWithinSeconds = 60, env = {}) => {
  try {
    const exchanges = [exchange];
    const { origin } = await start(['node', '-e', source], { env, startWithinSeconds, exchanges });
    return await checkAnswer({ name: 'x' }, origin, exchange);
  } catch (error) {
    return problemLine(error);
  }
};

test('a server has its own variables, the address of its sink, and none that instrument', async () => {
  process.env.OTEL_SDK_DISABLED = 'true';
  write('.env', 'SECRET=1\nSENTRY_DSN=1\n');
  try {
    const { origin } = await start(
      [
        'bun',
        '-e',
        `Bun.serve({ port: process.env.PORT, fetch: () => Response.json(process.env) })`,
      ],
      { env: { URL: 'http://{sink}/x' }, sinkAddress: 'host:1' },
    );
    const env = (await (await fetch(origin)).json()) as Record<string, string>;
    expect(env).toMatchObject({
      URL: 'http://host:1/x',
      HOST: '127.0.0.1',
      NODE_ENV: 'production',
    });
    expect(env).toMatchObject({ SECRET: '1', SENTRY_DSN: '' });
    expect(env.OTEL_SDK_DISABLED).toBeUndefined();
  } finally {
    delete process.env.OTEL_SDK_DISABLED;
  }
});

test('one that ends before it listens, with the end of its stderr', async () => {
  const failing = start(['bun', '-e', "console.error('no database'); process.exit(3)"]);
  await expect(failing).rejects.toThrow(
    /^Scenario x did not start: ended with status 3 before .* no database$/,
  );
});

test('one whose port another process holds: it might be measured in its place', async () => {
  await using strangers = new AsyncDisposableStack();
  const listen = (port: number, fetch: (request: Request) => Response) =>
    strangers.use(Bun.serve({ hostname: '127.0.0.1', port, fetch }));
  const stranger = listen(0, ({ url }) => {
    listen(Number(new URL(url).searchParams.get('port')), () => new Response('Hi'));
    return new Response('ok');
  });
  const source = `fetch('${stranger.url}?port=' + process.env.PORT); setInterval(() => {}, 1000)`;
  await expect(start(['bun', '-e', source])).rejects.toThrow(
    `Scenario x does not hold its port alone: process ${process.pid} may`,
  );
});

test.each([
  ['puts itself into the background', ['setsid', '--fork'], 'production'],
  [
    'does so bare',
    ['sh', '-c', 'env -i PATH="$PATH" PORT="$PORT" setsid --fork "$0" "$@"'],
    undefined,
  ],
])('one that %s is found, and ends', async (_, detached, mode) => {
  const { origin, child, pid, probe } = await start([...detached, 'node', '-e', ON_NODE]);
  await probe.begin();
  expect(await (await fetch(origin)).text()).toBe('Hi');
  expect((await probe.end())?.mode).toBe(mode as string);
  expect(pid).not.toBe(child.pid);
  expect(membersOf(child.pid).map((member) => member.pid)).toContain(pid);
  expect(child.exit).toBeUndefined();
  await child.stop();
  expect(child.exit).toMatchObject({ code: 0 });
  expect(() => process.kill(pid, 0)).toThrow();
});

test.each([['bun'], ['node']])(
  '%s tells what it used between two moments, also with threads',
  async (runtime) => {
    const thread = "new URL('data:text/javascript,setInterval(() => {}, 1000)')";
    const source = `import('node:worker_threads').then(({ Worker }) => {
      new Worker(${thread}).on('online', () => ${ON_NODE});
    });`;
    const { origin, probe, child } = await start([runtime, '-e', source]);
    await probe.begin();
    for (let count = 0; count < 200; count++) await (await fetch(origin)).text();
    await Bun.sleep(60);
    const used = await probe.end();
    expect(used).toMatchObject({ mode: 'production', trueCostUs: null });
    expect(used?.eventLoopDelayUs.max).toBeGreaterThanOrEqual(Number(used?.eventLoopDelayUs.p99));
    expect(child.exit).toBeUndefined();
  },
);

test('a server may replace what the probe needs', async () => {
  const names = 'setTimeout clearTimeout process.hrtime JSON.stringify'.split(' ');
  const { probe, child } = await start([
    'node',
    '-e',
    `${ON_NODE}; ${names.join(' = ')} = () => { throw 1 }`,
  ]);
  await probe.begin();
  await Bun.sleep(50);
  expect((await probe.end())?.eventLoopDelayUs.max).toBeFinite();
  expect(child.output.lastLines()).toBe('it said: nothing');
});

test('in all processes of a cluster, memory too, and without a word to it', async () => {
  const held = 'globalThis.held = Array.from({ length: 1_000_000 }, (_, n) => ({ n }))';
  const cluster = `const cluster = require('cluster');
    if (!cluster.isPrimary) { ${held}; ${ON_NODE}; }
    else {
      const print = ({ address }) => console.log(address);
      for (let n = 0; n < 2; n++) cluster.fork().on('listening', print);
    }`;
  const { origin, probe, child } = await start(['node', write('cluster.cjs', cluster)]);
  await (await fetch(origin)).text();
  while (child.output.stdout().split('\n').length < 3) await Bun.sleep(5);
  await probe.begin();
  expect(await probe.end()).not.toBeNull();
  expect(memoryBytes(child.pid)).toBeGreaterThan(80e6);
  expect(child.output.stdout()).toBe('127.0.0.1\n127.0.0.1\n');
});

const HOG = `const open = [];
  const hog = () => { try { for (;;) open.push(require('fs').openSync('/dev/null')); } catch {} };
  hog();
  const close = (from) => open.splice(from).forEach((each) => require('fs').closeSync(each));
  setTimeout(() => close(0), 50);
  setTimeout(() => { hog(); close(-2); }, 150);`;
test.each(['bun', 'node'])(
  '%s does not notice that the probe finds no free descriptor, ever',
  async (runtime) => {
    const file = write('hog.cjs', HOG);
    const hog = { NODE_OPTIONS: `--require=${file}`, BUN_OPTIONS: `--preload=${file}` };
    const source = `setTimeout(() => ${ON_NODE}, 100)`;
    const { origin, child } = await start(
      ['sh', '-c', 'ulimit -n 64; exec "$0" -e "$1"', runtime, source],
      { env: hog },
    );
    await Bun.sleep(200);
    for (let count = 0; count < 5; count++) await (await fetch(origin)).text();
    expect(child.exit).toBeUndefined();
    expect(child.output.lastLines()).toBe('it said: nothing');
  },
);

test('a stalled event loop shows', async () => {
  const stall =
    "process.on('SIGUSR2', () => { const end = Date.now() + 150; while (Date.now() < end); console.log('over'); });";
  const { probe, pid, child } = await start(['bun', '-e', stall + ON_NODE]);
  await probe.begin();
  process.kill(pid, 'SIGUSR2');
  while (!child.output.stdout().includes('over')) await Bun.sleep(5);
  await Bun.sleep(70);
  expect((await probe.end())?.eventLoopDelayUs.max).toBeGreaterThan(100_000);
});

test('a server that is no JavaScript has no probe, and is not waited for', async () => {
  const { probe } = await start(['sh', '-c', 'exec python3 -m http.server --bind 127.0.0.1 $PORT']);
  await probe.begin();
  expect(await probe.end()).toBeNull();
});

test('the probe of another process does not stand for that of the one that listens', async () => {
  const env = '{ env: { HOST: process.env.HOST, PORT: process.env.PORT } }';
  const child = `['-e', \`${ON_NODE}\`]`;
  const parent = `require('child_process').spawn('${process.execPath}', ${child}, ${env})`;
  const { probe } = await start(['node', '-e', parent]);
  await probe.begin();
  expect(await probe.end()).toBeNull();
});

test('options of Bun.serve may be an object of a class, and name no address', async () => {
  const options =
    'class Own { port = process.env.PORT; fetch() { return new Response(process.env.HOST); } }';
  const { origin, pid } = await start([
    'bun',
    '-e',
    `${options} Bun.serve(Object.freeze(new Own()));`,
  ]);
  expect(await (await fetch(origin)).text()).toBe('127.0.0.1');
  const port = Number(new URL(origin).port);
  const holders = listeningSocketsOf([...processes().keys()]).filter(
    (socket) => socket.port === port,
  );
  expect(holders).toEqual([{ pid, host: '127.0.0.1', port }]);
});

test('one that listens late is told', async () => {
  expect(await answerOf(`setTimeout(() => ${ON_NODE}, 2500)`, 0.4)).toMatch(
    /did not start: took more than 0.4 s .* "startWithinSeconds" /,
  );
});

test('one that listens elsewhere, at another host and another port, is told where', async () => {
  const own = String(await freePort());
  const otherHost = ON_NODE.replace('127.0.0.1', '::1');
  const otherPort = ON_NODE.replace('process.env.PORT', own);
  const elsewhere = `${otherHost}; ${otherPort}`;
  expect(await answerOf(elsewhere, 3)).toMatch(
    new RegExp(`its HOST and PORT: it listens on 127.0.0.1:${own}, \\[::1\\]:\\d+; .* \\{port\\} `),
  );
});

test('its stdin stays open, and {port} stands for its port', async () => {
  const serve = ON_NODE.replace('env.PORT', 'env.OWN');
  const source = `process.stdin.on('end', () => process.exit(0)).resume(); ${serve}`;
  expect(await answerOf(source, 10, { OWN: '{port}' })).toBe('Hi');
  await Bun.sleep(100);
  expect(server?.child.exit).toBeUndefined();
});

test('one that sends interim answers does not start for a load tool that mistakes them', async () => {
  const source = `require('node:http').createServer((_, response) =>
    response.writeEarlyHints({ link: '</a.css>; rel=preload' }, () => response.end()),
  ).listen(process.env.PORT, process.env.HOST)`;
  const starting = start(['node', '-e', source], {
    exchanges: [exchange],
    interimRemedy: () => 'Use another',
  });
  await expect(starting).rejects.toThrow('Scenario x sends an interim answer: GET /: 103');
});
