// Load tools as they are installed send what a suite says, and see what a server does.
import { expect, test } from 'bun:test';
import { bombardier } from '../../harness/load/bombardier.ts';
import { type LoadResult, loadResult } from '../../harness/load/load-result.ts';
import { runLoad } from '../../harness/load/run-load.ts';
import type { Load, LoadTool, WeightedRequest } from '../../harness/load/tool.ts';
import { vegeta } from '../../harness/load/vegeta.ts';
import { wrk } from '../../harness/load/wrk.ts';

const GET: WeightedRequest = {
  weight: 1,
  method: 'GET',
  path: '/',
  headers: {},
  chunked: false,
};
const POST: WeightedRequest = {
  ...GET,
  method: 'POST',
  headers: { 'content-type': 'text/plain' },
  body: '{"a":1}',
};

function loadOf(requests: WeightedRequest[], more: Partial<Load>): Load {
  return {
    origin: 'http://127.0.0.1:3000',
    requests,
    connections: 100,
    durationSeconds: 30,
    ...more,
  };
}

test.concurrent.skipIf(!Bun.which('wrk'))(
  'the real wrk sends one request or a mix by weight, with its headers',
  async () => {
    const seen: Record<string, number> = {};
    await using server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: async (request, { url }) => {
        const { headers } = request;
        const words = [
          request.method,
          request.url.slice(-2),
          headers.get('x-own'),
          await request.text(),
        ];
        if (headers.get('host') !== url.host) words.push('for another host');
        seen[words.join(' ')] = (seen[words.join(' ')] ?? 0) + 1;
        return new Response('Hi');
      },
    });
    const headers = { 'x-own': 'a b' };
    const sent = [
      { ...POST, weight: 3, path: '/a', headers },
      { ...GET, path: '/b', headers },
    ];
    const origin = `http://127.0.0.1:${server.port}`;
    const load = async (requests: WeightedRequest[]) => {
      const argv = wrk.argv(loadOf(requests, { origin, connections: 4, durationSeconds: 1 }), 1);
      const loaded = loadResult(
        wrk.parse(await Bun.spawn(['wrk', ...argv], { stdout: 'pipe' }).stdout.text()),
      );
      expect(loaded.errors).toEqual([]);
      expect(loaded.requests).toBeGreaterThan(100);
    };
    await load(sent);
    expect(Object.keys(seen).sort()).toEqual(['GET /b a b ', 'POST /a a b {"a":1}']);
    expect((seen['POST /a a b {"a":1}'] ?? 0) / (seen['GET /b a b '] ?? 0)).toBeWithin(2, 4);
    for (const [index, words] of ['POST /a a b {"a":1}', 'GET /b a b '].entries()) {
      for (const each of Object.keys(seen)) delete seen[each];
      await load(sent.slice(index, index + 1));
      expect(Object.keys(seen)).toEqual([words]);
    }
  },
  120_000,
);

const [vegetaHere, bombardierHere] = ['vegeta', 'bombardier'].map((name) => Bun.which(name));
test.concurrent.skipIf(!vegetaHere || !bombardierHere)(
  'a stall of a second shows in latency from when requests were due, and hides from when sent',
  async () => {
    const latencyBy = async (tool: LoadTool) => {
      await using server = Bun.spawn(['bun', '-e', STALLING], { stdout: 'pipe' });
      const { value } = await server.stdout.getReader().read();
      const origin = `http://127.0.0.1:${new TextDecoder().decode(value).trim()}`;
      const paced = loadOf([GET], { origin, connections: 4, durationSeconds: 3, rate: 500 });
      await (await fetch(`${origin}/stall`)).text();
      const found = { tool, path: tool.name, version: '', host: undefined };
      return (await runLoad(found, paced, undefined)).latencyUs;
    };
    const [due, sent] = await Promise.all([latencyBy(vegeta), latencyBy(bombardier)]);
    // A third of the requests was due in the stall, and four were sent before it.
    expect(due?.p90).toBeGreaterThan(300_000);
    expect(sent?.max).toBeGreaterThan(900_000);
    expect(sent?.p90).toBeLessThan(300_000);
  },
  120_000,
);

/** Stalls once, a second after it was asked to. */
const STALLING = `
  let stallAtMs = Infinity;
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch(request) {
    const now = performance.now();
    if (request.url.endsWith('/stall')) stallAtMs = now + 1000;
    else if (now > stallAtMs) { stallAtMs = Infinity; while (performance.now() < now + 1000); }
    return new Response('Hi');
  } });
  console.log(server.port);`;

const INTERIM = `
  const { createServer } = require('node:net');
  const interim = 'HTTP/1.1 ' + process.env.STATUS + ' Interim\\r\\n\\r\\n';
  const server = createServer((socket) => socket.on('error', () => {}).on('data', () => {
    socket.write(interim + 'HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nHi');
  })).listen(0, '127.0.0.1', () => console.log(server.address().port));`;

/** What a tool makes of a server that sends an interim answer first. */
async function seenOfInterim(tool: LoadTool, status: number): Promise<LoadResult> {
  const env = { ...process.env, STATUS: String(status) };
  await using server = Bun.spawn(['node', '-e', INTERIM], { stdout: 'pipe', env });
  const { value } = await server.stdout.getReader().read();
  const origin = `http://127.0.0.1:${new TextDecoder().decode(value).trim()}`;
  const found = { tool, path: tool.name, version: '', host: undefined };
  const load = loadOf([GET], { origin, connections: 1, durationSeconds: 1 });
  return await runLoad(found, load, undefined);
}

for (const tool of [bombardier, vegeta].filter(({ name }) => Bun.which(name)))
  test.each([100, 103])(
    `${tool.name} takes an interim answer %d as it is said to`,
    async (status) => {
      const { errors } = await seenOfInterim(tool, status);
      expect(errors.length > 0).toBe(tool.mistakesInterim?.(status) ?? false);
    },
    120_000,
  );
