// Runs the five servers as processes, and sends their telemetry by OTLP to a receiver of the test's own.
import { describe, expect, test } from 'bun:test';
import { resolve } from 'node:path';
import { Receiver } from '../../harness/proof/receiver.ts';

const root = resolve(import.meta.dir, '../..');

async function withServer(script: string, env: Record<string, string>, use: (url: string) => Promise<void>) {
  const { port } = freePort();
  const server = Bun.spawn([process.execPath, 'run', script], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', ...env, PORT: String(port) },
    stdout: 'ignore',
    stderr: 'inherit',
  });
  try {
    await answered(`http://127.0.0.1:${port}/`);
    await use(`http://localhost:${port}/`);
  } finally {
    server.kill('SIGTERM');
    await server.exited;
  }
  return server;
}

function freePort(): { port: number } {
  const probe = Bun.serve({ port: 0, fetch: () => new Response() });
  const port = probe.port as number;
  probe.stop(true);
  return { port };
}

/** Waits until something listens. Makes no request, so that the test can count requests. */
async function answered(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  for (let attempt = 0; attempt < 200; attempt++) {
    try {
      (await Bun.connect({ hostname, port: Number(port), socket: { data() {} } })).end();
      return;
    } catch {
      await Bun.sleep(20);
    }
  }
  throw new Error(`nothing listens at ${url}`);
}

describe('each server answers Hi', () => {
  for (const name of ['baseline', 'inspector-disabled', 'trace-disabled', 'trace-active', 'trace-10x']) {
    test(name, async () => {
      await withServer(`${name}.ts`, {}, async (url) => {
        const response = await fetch(url);
        expect(response.status).toBe(200);
        expect(await response.text()).toBe('Hi');
        expect(response.headers.get('content-type')).toStartWith('text/plain');
      });
    });
  }
});

describe('with an OTLP endpoint all that was recorded has arrived when SIGTERM has ended the server', () => {
  const requests = 1300; // more than one batch of each server that traces
  const expected: [string, number, number][] = [
    ['inspector-disabled', 0, 0],
    ['trace-disabled', 0, 1],
    ['trace-active', 1, 1],
    ['trace-10x', 10, 1],
  ];
  for (const [name, spansEach, measuredEach] of expected) {
    test(name, async () => {
      await using receiver = new Receiver();
      const server = await withServer(
        `${name}.ts`,
        { OTEL_EXPORTER_OTLP_ENDPOINT: `http://${receiver.address}` },
        async (url) => {
          for (let sent = 0; sent < requests; sent += 20) {
            await Promise.all(Array.from({ length: 20 }, async () => (await fetch(url)).text()));
          }
        },
      );
      const { spans, points, fault } = receiver;
      expect(fault).toBeNull();
      expect(server.signalCode).toBe('SIGTERM');
      expect(spans).toHaveLength(requests * spansEach);
      expect(points.reduce((sum, { count }) => sum + count, 0)).toBe(requests * measuredEach);
      const ids = new Set(spans.map((span) => span.spanId));
      expect(ids.size).toBe(spans.length);
      expect(spans.filter((span) => span.kind === 'SERVER')).toHaveLength(requests * Math.min(spansEach, 1));
      expect(spans.filter((span) => span.parentSpanId && !ids.has(span.parentSpanId))).toEqual([]);
    });
  }
});
