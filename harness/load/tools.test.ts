import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Host } from '../machine/host.ts';
import { bombardier } from './bombardier.ts';
import { findTool } from './find.ts';
import { locust } from './locust.ts';
import { oha } from './oha.ts';
import { type Load, type LoadTool, loadResult, type ToolName } from './tool.ts';
import { wrk } from './wrk.ts';

const recorded = (name: string) => readFileSync(join(import.meta.dir, 'fixtures', name), 'utf8');
const resultOf = (tool: LoadTool, name: string) => loadResult(tool.parse(recorded(name)));
const versionIn = ({ version }: LoadTool, output: string) => version.exec(output)?.[1];

const get: Load = {
  origin: 'http://127.0.0.1:3000',
  requests: [{ weight: 1, method: 'GET', path: '/', headers: {}, chunked: false }],
  connections: 100,
  durationSeconds: 30,
};
const post: Load = {
  ...get,
  requests: [
    {
      weight: 1,
      method: 'POST',
      path: '/',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
      chunked: false,
    },
  ],
};

describe('bombardier', () => {
  test('is called as the script says, with the flags for percentiles and JSON', () => {
    expect(['bombardier', ...bombardier.argv(get, 1)].join(' ')).toBe(
      'bombardier --fasthttp -c 100 -d 30s --latencies --print result --format json http://127.0.0.1:3000/',
    );
    expect(bombardier.argv(post, 1).join(' ')).toContain('-m POST -H content-type: application/json --body={"a":1}');
  });

  test('is told from the game of the same name by what it prints as its version', () => {
    expect(versionIn(bombardier, recorded('bombardier-version.txt'))).toBe('unspecified');
    expect(versionIn(bombardier, 'bombardier version v1.2.6 linux/amd64')).toBe('v1.2.6');
    expect(versionIn(bombardier, 'bombardier: the GNU bombing utility')).toBeUndefined();
  });

  test('times are µs; requests and seconds are counted, not the mean of its samples of the rate', () => {
    const result = resultOf(bombardier, 'bombardier-ok.json');
    expect(result).toMatchObject({ requests: 133_635, seconds: 3.001503292, errors: [] });
    expect(result.latencyUs).toEqual({
      mean: 2240.726142103491,
      max: 28206,
      p50: 1956,
      p90: 4053,
      p95: 5060,
      p99: 8102,
      p999: null,
    });
  });

  test('an answer outside 2xx is an error', () => {
    expect(resultOf(bombardier, 'bombardier-404.json').errors).toEqual([{ detail: 'status 4xx', count: 72_841 }]);
    expect(resultOf(bombardier, 'bombardier-mixed-500.json').errors).toEqual([{ detail: 'status 5xx', count: 7_650 }]);
  });

  test('connections that were refused have no latency, though it prints one', () => {
    const result = resultOf(bombardier, 'bombardier-refused.json');
    expect(result).toMatchObject({ requests: 0, latencyUs: null });
    expect(result.errors).toEqual([{ detail: 'dial tcp 127.0.0.1:3299: connect: connection refused', count: 28_688 }]);
  });

  test('an error that names the port of its connection is one error', () => {
    const refused = JSON.parse(recorded('bombardier-refused.json'));
    const reset = (port: number) => `read tcp 127.0.0.1:${port}->127.0.0.1:3000: read: connection reset by peer`;
    refused.result.errors = [43_210, 43_212].map((port) => ({ description: reset(port), count: 2 }));
    refused.result.others = 4;
    expect(loadResult(bombardier.parse(JSON.stringify(refused))).errors).toEqual([
      { detail: 'read tcp 127.0.0.1:3000: read: connection reset by peer', count: 4 },
    ]);
  });

  test('of many kinds of errors the most frequent are told apart', () => {
    const output = JSON.parse(recorded('bombardier-refused.json'));
    output.result.errors = Array.from({ length: 30 }, (_, at) => ({ description: `error ${at}`, count: at + 1 }));
    const { errors } = loadResult(bombardier.parse(JSON.stringify(output)));
    expect(errors.length).toBe(11);
    expect(errors.reduce((sum, { count }) => sum + count, 0)).toBe(output.result.others);
    expect(errors.at(-1)?.detail).toBe('other errors');
  });

  test('time-outs', () => {
    expect(resultOf(bombardier, 'bombardier-timeouts.json')).toMatchObject({
      requests: 0,
      latencyUs: null,
      errors: [{ detail: 'timeout', count: 5 }],
    });
  });

  test('percentiles that are not there are null', () => {
    const { latencyUs } = resultOf(bombardier, 'bombardier-ok-no-percentiles.json');
    expect(latencyUs).toMatchObject({ mean: 2008.271071974676, p50: null, p99: null });
  });
});

test('if no tool can make the load from another host, that is said', () => {
  const find = () => findTool('auto', { mix: true, rate: true }, new Host('a', undefined));
  expect(find).toThrow(expect.objectContaining({ remedy: expect.stringMatching(/^Use no --load-host, or choose/) }));
});

describe('wrk', () => {
  test('is called with as many threads as it has cores, if each can have as many connections', () => {
    expect(wrk.argv(get, 4).slice(0, 6)).toEqual(['-t', '4', '-c', '100', '-d', '30s']);
    const threads = (connections: number, cores: number) => wrk.argv({ ...get, connections }, cores)[1];
    expect([threads(100, 3), threads(99, 3), threads(2, 3), threads(7, 4)]).toEqual(['2', '3', '2', '1']);
    expect(wrk.argv(post, 1).join(' ')).toEndWith(
      'http://127.0.0.1:3000/ -- 1 POST / text {"a":1} 1 content-type application/json',
    );
  });

  test('is known by its version', () => {
    expect(versionIn(wrk, recorded('wrk-version.txt'))).toBe('debian/4.1.0-3+b2');
  });

  test('times are µs', () => {
    const result = resultOf(wrk, 'wrk-ok.txt');
    expect(result).toMatchObject({ requests: 475_705, seconds: 2.100492, errors: [] });
    expect(result.latencyUs).toMatchObject({ mean: 441.061, p50: 379, p95: 710, p99: 818, max: 2207 });
  });

  test('error answers', () => {
    expect(resultOf(wrk, 'wrk-404.txt').errors).toEqual([{ detail: 'status above 399', count: 169_120 }]);
    expect(resultOf(wrk, 'wrk-mixed-500.txt').errors[0]?.count).toBe(15_683);
  });

  test('requests that never came back leave no latency', () => {
    expect(resultOf(wrk, 'wrk-timeouts.txt')).toMatchObject({ requests: 0, latencyUs: null });
  });

  test('a refusal is recognised', () => {
    expect(wrk.refusal?.test('unable to connect to 127.0.0.1:3299 Connection refused')).toBe(true);
  });
});

describe('oha', () => {
  test('prints JSON and follows no redirect', () => {
    expect(oha.argv(get, 1).join(' ')).toBe(
      '-c 100 -z 30s --redirect 0 --no-tui --output-format json http://127.0.0.1:3000/',
    );
    expect(oha.argv(post, 1).join(' ')).toContain('-m POST -H content-type: application/json -d={"a":1}');
  });

  test('is known by its version', () => {
    expect(versionIn(oha, recorded('oha-version.txt'))).toBe('1.16.0');
  });

  test('seconds become µs; requests under way at the deadline are no errors', () => {
    const result = resultOf(oha, 'oha-ok.json');
    expect(result).toMatchObject({ requests: 136_962, seconds: 3.005832681, errors: [] });
    expect(result.latencyUs?.mean).toBeCloseTo(2185.352475, 5);
    expect(result.latencyUs?.p95).toBeCloseTo(4683.998, 5);
  });

  test('error answers and refused connections', () => {
    expect(resultOf(oha, 'oha-mixed-500.json').errors).toEqual([{ detail: 'status 500', count: 7_489 }]);
    expect(resultOf(oha, 'oha-refused.json')).toMatchObject({
      requests: 0,
      latencyUs: null,
      errors: [{ count: 45_531 }],
    });
  });
});

describe('locust', () => {
  test('by hand, it is called with the load as JSON, mixes too', () => {
    const mix = { ...get, rate: 500, requests: [...get.requests, ...post.requests] };
    const sent = JSON.parse(locust.argv(mix, 1).at(-1) ?? '');
    expect(sent).toMatchObject({ perSecond: 5, requests: [{ method: 'GET', body: null }, { body: '{"a":1}' }] });
    expect(JSON.parse(locust.argv(get, 1).at(-1) ?? '').perSecond).toBe(0);
  });

  test('ms become µs; errors are told apart', () => {
    const times = { p50: 1, p90: 2, p95: 3, p99: 7, p999: 13 };
    const errors = { "GET all: ConnectionRefusedError(111, 'Connection refused')": 3 };
    const page = { state: 'ready', requests: 560, errors, latencyMs: { mean: 1.1375, max: 12.9, ...times } };
    expect(loadResult(locust.parse(JSON.stringify(page)))).toEqual({
      requests: 560,
      seconds: 0,
      underWay: 0,
      errors: [{ detail: "GET all: ConnectionRefusedError(111, 'Connection refused')", count: 3 }],
      latencyUs: { mean: 1137.5, max: 12_900, p50: 1_000, p90: 2_000, p95: 3_000, p99: 7_000, p999: 13_000 },
    });
  });

  test('is refused on a load host', () => {
    expect(() => findTool('locust', { rate: true }, new Host('a', undefined))).toThrow(
      "Can't send requests from a load host with locust",
    );
  });
});

test('output of another kind is not taken for a result', () => {
  for (const tool of [bombardier, wrk, oha, locust]) {
    expect(() => tool.parse('')).toThrow();
    expect(() => tool.parse('{"result":{"req2xx":"many"}}')).toThrow();
  }
});

test('an upload: from a file, chunked if the tool can, in the way of each tool', () => {
  const upload: Load = {
    ...get,
    connections: 3,
    requests: [{ weight: 1, method: 'POST', path: '/', headers: {}, bodyFile: '/tmp/body', chunked: true }],
  };
  const call = (tool: { argv: (load: Load, cores: number) => string[] }) => tool.argv(upload, 4).join(' ');
  expect(call(bombardier)).toContain('-c 3 -d 30s -m POST -f /tmp/body -t 60s --stream');
  expect(call(oha)).toContain('-c 3 -z 30s -m POST -D /tmp/body');
  expect(call(wrk)).toMatch(/^-t 3 -c 3 -d 30s --timeout 60s .* -- 1 POST \/ file \/tmp\/body 0$/);
  const mix = { ...upload, requests: [...get.requests, ...upload.requests] };
  expect(wrk.argv(mix, 1).join(' ')).toContain('--timeout 60s');
});

test('a steady rate, if the tool has one', () => {
  expect(bombardier.argv({ ...get, rate: 500 }, 1).join(' ')).toContain('-c 100 -d 30s -r 500');
  expect(oha.argv({ ...get, rate: 500 }, 1).join(' ')).toContain('-c 100 -z 30s -q 500 --latency-correction');
  expect(wrk.latencyFrom).toBeNull();
});

test('a mix is not for every tool', () => {
  const [request] = get.requests as [Load['requests'][number]];
  const mix: Load = { ...get, requests: [request, { ...request, path: '/two', weight: 3 }] };
  expect(() => bombardier.argv(mix, 1)).toThrow('a mix');
  expect(wrk.argv(mix, 1).join(' ')).toContain('-- 1 GET / none  0 3 GET /two none  0');
});

test('tools that wait for the body of an answer to HEAD are not asked for it', () => {
  expect(() => findTool('wrk', { head: true })).toThrow("Can't send requests by HEAD with wrk");
});

test.skipIf(!Bun.which('wrk'))('the real wrk sends a mix by weight, with bodies and headers', async () => {
  const seen: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      seen.push(`${request.method} ${pathname} ${request.headers.get('x-own')} ${await request.text()}`);
      return new Response('Hi');
    },
  });
  try {
    const base = { headers: { 'x-own': 'a b' }, chunked: false } as const;
    const load: Load = {
      origin: `http://127.0.0.1:${server.port}`,
      connections: 4,
      durationSeconds: 1,
      requests: [
        { ...base, weight: 3, method: 'POST', path: '/a', body: '{"a":"1 2"}' },
        { ...base, weight: 1, method: 'GET', path: '/b' },
      ],
    };
    const run = async (which: Load) => {
      seen.length = 0;
      const child = Bun.spawn(['wrk', ...wrk.argv(which, 1)], { stdout: 'pipe' });
      return loadResult(wrk.parse(await new Response(child.stdout).text()));
    };
    const mix = await run(load);
    const posts = seen.filter((each) => each === 'POST /a a b {"a":"1 2"}').length;
    const gets = seen.filter((each) => each === 'GET /b a b ').length;
    expect(posts + gets).toBe(seen.length);
    expect(posts / gets).toBeGreaterThan(2);
    expect(posts / gets).toBeLessThan(4);
    expect(mix.errors).toEqual([]);
    expect(mix.requests).toBeGreaterThan(100);
  } finally {
    await server.stop(true);
  }
});

const here = (name: ToolName) =>
  [process.env[name.toUpperCase()], name].find((program) => program && Bun.which(program));
const [ohaHere, bombardierHere] = [here('oha'), here('bombardier')];

test.skipIf(!ohaHere || !bombardierHere)(
  'a server that stalls for 200 ms once: seen from when requests were due, and hidden from when they were sent',
  async () => {
    const server = Bun.spawn(['bun', '-e', STALLING], { stdout: 'pipe' });
    try {
      const { value } = await server.stdout.getReader().read();
      const origin = `http://127.0.0.1:${new TextDecoder().decode(value).trim()}`;
      const paced: Load = { ...get, origin, connections: 4, durationSeconds: 2, rate: 500 };
      const run = async (tool: LoadTool, program: string | undefined) => {
        await (await fetch(`${origin}/stall`)).text();
        const child = Bun.spawn([String(program), ...tool.argv(paced, 1)], { stdout: 'pipe' });
        return loadResult(tool.parse(await child.stdout.text()));
      };
      const due = await run(oha, ohaHere);
      const sent = await run(bombardier, bombardierHere);
      expect(due.latencyUs?.p999).toBeGreaterThan(150_000);
      expect(sent.latencyUs?.max).toBeGreaterThan(150_000);
      expect(sent.latencyUs?.p99).toBeLessThan(100_000);
    } finally {
      server.kill();
      await server.exited;
    }
  },
  20_000,
);

/** Stalls once, a second after it was asked to. */
const STALLING = `
  let stallAtMs = Infinity;
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch(request) {
    const now = performance.now();
    if (request.url.endsWith('/stall')) stallAtMs = now + 1000;
    else if (now > stallAtMs) { stallAtMs = Infinity; while (performance.now() < now + 200); }
    return new Response('Hi');
  } });
  console.log(server.port);`;
