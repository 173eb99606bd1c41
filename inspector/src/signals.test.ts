// Runs the servers as processes under load, and ends them by a signal.
import { describe, expect, test } from 'bun:test';
import { resolve } from 'node:path';
import { Recorder } from '../../harness/proof/recorder.ts';
import { listen } from '../../harness/sink/listen.ts';

const root = resolve(import.meta.dir, '../..');

async function start(script: string[], receiver: string) {
  const OTEL_EXPORTER_OTLP_ENDPOINT = `http://${receiver}`;
  const env = {
    ...process.env,
    PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT,
    OTEL_BSP_MAX_QUEUE_SIZE: '65536',
  };
  const server = Bun.spawn([process.execPath, ...script], {
    cwd: root,
    env,
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const reader = server.stdout.getReader();
  let output = '';
  while (!/http:\S+/.test(output)) output += new TextDecoder().decode((await reader.read()).value);
  reader.releaseLock();
  return { server, url: /http:\S+/.exec(output)?.[0].replace('localhost', '127.0.0.1') as string };
}

/**
 * Sends requests until the server is gone, and a signal after the first 100 answers. Returns how
 * many were answered.
 */
async function signalUnderLoad(url: string, signal: () => void): Promise<number> {
  let answered = 0;
  const client = async () => {
    try {
      for (;;) if ((await (await fetch(url)).text()) === 'Hi' && ++answered === 100) signal();
    } catch {} // The server is gone.
  };
  await Promise.all(Array.from({ length: 30 }, client));
  return answered;
}

describe.each(['SIGTERM', 'SIGINT'] as const)('after %s under load', (signal) => {
  test.each([
    ['baseline', 0],
    ['inspector-disabled', 0],
    ['trace-disabled', 0],
    ['trace-active', 1],
    ['trace-10x', 10],
  ])('%s has sent %i spans for each answer', async (name, each) => {
    const recorder = new Recorder();
    await using listening = await listen(recorder);
    const { server, url } = await start(['run', `${name}.ts`], listening.address);
    const answered = await signalUnderLoad(url, () => server.kill(signal));
    await server.exited;
    expect(server.signalCode).toBe(signal);
    const { spans } = recorder;
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    // An answer may have been on its way when the process ended.
    const requests = each && spans.length / each;
    expect(requests).toBeGreaterThanOrEqual(each && answered);
    expect(requests).toBeLessThanOrEqual(each && answered + 30);
    expect(spans.filter(({ kind }) => kind === 'SERVER')).toHaveLength(requests);
  });
});

test('an app with a handler of its own drains, shuts down, and loses nothing', async () => {
  const recorder = new Recorder();
  await using listening = await listen(recorder);
  const script = `
    import { Inspector } from '@tracetax/inspector';
    import { Hono } from 'hono';
    process.once('SIGTERM', async () => {
      await server.stop();
      await inspector.shutdown();
      process.exit(7);
    });
    const inspector = new Inspector();
    let asked = 0;
    const app = inspector.instrument(new Hono().get('/', async (c) => {
      if (++asked === 8) process.kill(process.pid, 'SIGTERM');
      await Bun.sleep(200);
      return c.text('Hi');
    }));
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: app.fetch });
    console.log(server.url.href);
  `;
  const { server, url } = await start(['-e', script], listening.address);
  const answers = Array.from({ length: 8 }, () => fetch(url, { headers: { connection: 'close' } }));
  for (const answer of answers) expect(await (await answer).text()).toBe('Hi');
  expect(await server.exited).toBe(7);
  expect(recorder.spans).toHaveLength(8);
});

test.each([
  ['refuses connections', () => '127.0.0.1:9', 0],
  [
    'has just failed',
    () => Bun.serve({ port: 0, fetch: () => new Response('', { status: 500 }) }).url.host,
    300,
  ],
])('a process ends long before its 5 s if its receiver %s', async (_, receiver, waitMs) => {
  const { server, url } = await start(['run', 'trace-active.ts'], receiver());
  expect(await (await fetch(url)).text()).toBe('Hi');
  await Bun.sleep(waitMs);
  const startMs = performance.now();
  server.kill('SIGTERM');
  await server.exited;
  // Half a second on an idle machine.
  expect(performance.now() - startMs).toBeLessThan(3_500);
  expect(server.signalCode).toBe('SIGTERM');
});
