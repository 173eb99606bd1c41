import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bombardier } from './bombardier.ts';
import { type FoundTool, findTool, toolFor, withToolAtRates } from './find.ts';
import { Host } from './host.ts';
import { errorKindOf } from './limits.ts';
import { loadResult } from './load-result.ts';
import { locust } from './locust.ts';
import { oha } from './oha.ts';
import { loadCommand } from './run-load.ts';
import type { Load, LoadTool, WeightedRequest } from './tool.ts';
import { vegeta } from './vegeta.ts';
import { wrk } from './wrk.ts';

function recorded(name: string): string {
  return readFileSync(join(import.meta.dir, 'fixtures', name), 'utf8');
}

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
const UPLOAD: WeightedRequest = {
  ...GET,
  method: 'POST',
  bodyFile: '/tmp/body',
  chunked: true,
};

function loadOf(requests: WeightedRequest[], more: Partial<Load> = {}): Load {
  return {
    origin: 'http://127.0.0.1:3000',
    requests,
    connections: 100,
    durationSeconds: 30,
    ...more,
  };
}

const get = loadOf([GET]);

const BOMBARDIER = '--latencies --print result --format json http://127.0.0.1:3000/';
const OHA =
  '--redirect 0 --disable-compression --no-tui --output-format json http://127.0.0.1:3000/';
const WRK = `--latency -s ${join(import.meta.dir, 'wrk-summary.lua')} http://127.0.0.1:3000/ --`;
const WRK_GET = '1 GET / none  0';
const TEXT = '-H content-type: text/plain';
const WRK_POST = '1 POST / text {"a":1} 1 content-type text/plain';
const mix = loadOf([{ ...GET, path: '/two', weight: 3 }, UPLOAD]);
test.each([
  [bombardier, get, `--fasthttp -c 100 -d 30s -t 10s ${BOMBARDIER}`],
  [
    bombardier,
    loadOf([GET], { rate: 500 }),
    `--fasthttp -c 100 -d 30s -r 500 -t 10s ${BOMBARDIER}`,
  ],
  [
    bombardier,
    loadOf([POST]),
    `--fasthttp -c 100 -d 30s -m POST ${TEXT} --body={"a":1} -t 10s ${BOMBARDIER}`,
  ],
  [
    bombardier,
    loadOf([UPLOAD]),
    `--fasthttp -c 100 -d 30s -m POST -f /tmp/body -t 60s --stream ${BOMBARDIER}`,
  ],
  [oha, get, `-c 100 -z 30s ${OHA}`],
  [oha, loadOf([GET], { rate: 500 }), `-c 100 -z 30s -q 500 --latency-correction ${OHA}`],
  [oha, loadOf([POST]), `-c 100 -z 30s -m POST ${TEXT} -d={"a":1} ${OHA}`],
  [oha, loadOf([UPLOAD]), `-c 100 -z 30s -m POST -D /tmp/body ${OHA}`],
  // As many threads as there are cores, if each can have as many connections.
  [wrk, get, `-t 4 -c 100 -d 30s --timeout 10s ${WRK} ${WRK_GET}`],
  [wrk, loadOf([GET], { connections: 99 }), `-t 3 -c 99 -d 30s --timeout 10s ${WRK} ${WRK_GET}`],
  [wrk, loadOf([GET], { connections: 2 }), `-t 2 -c 2 -d 30s --timeout 10s ${WRK} ${WRK_GET}`],
  [wrk, loadOf([POST]), `-t 4 -c 100 -d 30s --timeout 10s ${WRK} ${WRK_POST}`],
  [
    wrk,
    mix,
    `-t 4 -c 100 -d 30s --timeout 60s ${WRK} 3 GET /two none  0 1 POST / file /tmp/body 0`,
  ],
])('the arguments of a tool, case %#', (tool, load, expected) => {
  expect(tool.argv(load, 4).join(' ')).toBe(expected);
});

test('vegeta is called with a target as JSON, and with as many workers as a rate needs', () => {
  const [target, ...options] = vegeta.argv(loadOf([POST], { rate: 500 }), 1);
  const header = { 'Accept-Encoding': ['identity'], 'content-type': ['text/plain'] };
  expect(JSON.parse(target as string)).toEqual({
    method: 'POST',
    url: `${get.origin}/`,
    header,
    body: 'eyJhIjoxfQ==',
  });
  const common = '-workers 100 -duration 30s -timeout 10s -redirects -1 -max-body 0';
  expect(options.join(' ')).toBe(`-format json -rate 500/1s ${common}`);
  expect(vegeta.argv(get, 1).join(' ')).toContain(`-rate 0 -max-workers 100 ${common}`);
});

test('a tool that compares header names by case sends each header once, as the suite says', () => {
  const headers = { host: 'a.example', 'accept-encoding': 'gzip' };
  const [target] = vegeta.argv(loadOf([{ ...GET, headers }]), 1);
  expect(JSON.parse(target as string).header).toEqual({
    Host: ['a.example'],
    'accept-encoding': ['gzip'],
  });
  expect(wrk.argv(loadOf([{ ...GET, headers }]), 1).join(' ')).toEndWith(
    '2 Host a.example accept-encoding gzip',
  );
});

test('Locust is called with the load as JSON, mixes too', () => {
  const sentBy = (load: Load) => JSON.parse(locust.argv(load, 1).at(-1) ?? '');
  const requests = [{ method: 'GET', url: '/', data: '' }, { data: '{"a":1}' }];
  expect(sentBy(loadOf([GET, POST], { rate: 500 }))).toMatchObject({
    intervalSeconds: 0.2,
    requests,
    weights: [1, 1],
  });
  expect(sentBy(get).intervalSeconds).toBe(0);
});

test.each([
  [bombardier, recorded('bombardier-version.txt'), 'unspecified'],
  [bombardier, 'bombardier version v1.2.6 linux/amd64', 'v1.2.6'],
  // A game has the same name.
  [bombardier, 'bombardier: the GNU bombing utility', undefined],
  [wrk, recorded('wrk-version.txt'), 'debian/4.1.0-3+b2'],
  [oha, recorded('oha-version.txt'), '1.16.0'],
  [vegeta, 'Version: v12.13.0\nCommit: \nRuntime: go1.26.8 linux/amd64', 'v12.13.0'],
  [vegeta, 'Version: \nCommit: \nRuntime: go1.26.8 linux/amd64', 'go1.26.8'],
  [locust, recorded('locust-version.txt'), '2.47.0'],
])('the version of a tool by what it prints: %#', ({ version }, output, expected) => {
  expect(version.exec(output)?.[1]).toBe(expected);
});

/** Times in µs. Requests and seconds are those counted, not the mean of samples of the rate. */
const GOOD: [file: string, LoadTool, requests: number, seconds: number, times: number[]][] = [
  [
    'bombardier-ok.json',
    bombardier,
    133_635,
    3.0015,
    [2_240.726, 1_956, 4_053, 5_060, 8_102, 28_206],
  ],
  ['wrk-ok.txt', wrk, 475_705, 2.1005, [441.553, 379, 648, 710, 818, 2_207]],
  // Requests under way at the deadline are no errors.
  [
    'oha-ok.json',
    oha,
    136_962,
    3.0058,
    [2_185.352, 1_996.569, 3_732.34, 4_683.998, 6_284.177, 12_008.478],
  ],
  [
    'vegeta-ok.json',
    vegeta,
    500,
    0.9957,
    [19_379.998, 347.629, 104_641.772, 112_034.628, 192_469.333, 194_611.991],
  ],
  ['bombardier-ok-no-percentiles.json', bombardier, 149_108, 3.0003, [2_008.271, 18_006]],
];
test.each(GOOD)('a recorded report is parsed: %s', (file, tool, requests, seconds, times) => {
  const { latencyUs, ...result } = loadResult(tool.parse(recorded(file)));
  expect(result).toMatchObject({ requests, seconds: expect.closeTo(seconds, 3), errors: [] });
  const { mean, p50, p90, p95, p99, max } = latencyUs as NonNullable<typeof latencyUs>;
  const told = [mean, p50, p90, p95, p99, max].filter((time) => time !== null);
  expect(told.map((time) => Math.round(time * 1e3) / 1e3)).toEqual(times);
});

/**
 * Answers outside 2xx, and requests that had none. Without an answer there is no latency, though
 * tools print one.
 */
const BAD: [file: string, LoadTool, count: number, detail: RegExp][] = [
  ['bombardier-404.json', bombardier, 72_841, /^status 4xx$/],
  ['bombardier-mixed-500.json', bombardier, 7_650, /^status 5xx$/],
  [
    'bombardier-refused.json',
    bombardier,
    28_688,
    /^dial tcp 127.0.0.1:3299: connect: connection refused$/,
  ],
  ['bombardier-timeouts.json', bombardier, 5, /within the 10 s/],
  ['wrk-404.txt', wrk, 169_120, /^status above 399$/],
  ['wrk-mixed-500.txt', wrk, 15_683, /^status above 399$/],
  ['oha-mixed-500.json', oha, 7_489, /^status 500$/],
  ['oha-refused.json', oha, 45_531, /refused/],
  ['vegeta-refused.json', vegeta, 20, /refused/],
];
test.each(BAD)(
  'errors in a recorded report are counted by kind: %s',
  (file, tool, count, detail) => {
    const result = loadResult(tool.parse(recorded(file)));
    const limit = file === 'bombardier-timeouts.json' ? 'slow-answer' : null;
    expect(result.errors).toEqual([{ limit, detail: expect.stringMatching(detail), count }]);
    expect(result.latencyUs === null).toBe(result.requests === 0);
  },
);

test('a report of Locust is parsed', () => {
  const latencyUs = {
    mean: 1_137.5,
    max: 12_900,
    p50: 1_000,
    p90: 2_000,
    p95: 3_000,
    p99: 7_000,
    p999: 13_000,
  };
  const page = { statuses: { '2xx': 560 }, failures: { 'GET all: refused': 3 }, latencyUs };
  const errors = [{ detail: 'GET all: refused', count: 3 }];
  expect(loadResult(locust.parse(JSON.stringify(page)))).toMatchObject({
    requests: 560,
    errors,
    latencyUs,
  });
});

test('requests under way at the end of wrk are no errors', () => {
  const underWay = loadResult(wrk.parse(recorded('wrk-timeouts.txt')));
  expect(underWay).toMatchObject({ requests: 0, errors: [], underWay: 5, latencyUs: null });
});

describe('errors of bombardier', () => {
  const errorsOf = (errors: { description: string; count: number }[], others: number) => {
    const output = JSON.parse(recorded('bombardier-refused.json'));
    Object.assign(output.result, { errors, others });
    return loadResult(bombardier.parse(JSON.stringify(output))).errors;
  };

  test('those of a connection that was closed are told from others', () => {
    const said = [
      'the server closed connection before returning the first response byte. Make sure',
      'Get "http://127.0.0.1:3000/": EOF',
      'read tcp 127.0.0.1:1->127.0.0.1:3000: read: connection reset by peer',
      'read error',
      "GET all: HTTPConnectionClosed('connection closed.')",
      'connection closed before message completed',
    ];
    expect(said.map((each) => errorKindOf(each).isClosed)).toEqual(said.map(() => true));
    expect(errorKindOf('dial tcp: connect: connection refused').isClosed).toBeUndefined();
  });

  test('interim answers are none of the server', () => {
    expect(errorKindOf('status 1xx')).toMatchObject({ limit: 'interim-answer' });
    const inUse = 'dial tcp 127.0.0.1:3000: bind: address already in use';
    expect(errorKindOf(inUse)).toMatchObject({ limit: 'ports' });
  });

  test('that differ by their port are one; a limit of the tool is told as such', () => {
    const reset = (port: number) =>
      `read tcp 127.0.0.1:${port}->127.0.0.1:3000: read: connection reset by peer`;
    const small = (id: string) =>
      `small read buffer. Increase ReadBufferSize. contents: "x-request-id: ${id}"`;
    const said = [43_210, 43_212].flatMap((port) => [reset(port), small(`${port}`)]);
    const all = [...said, 'dial: too many open files'].map((description) => ({
      description,
      count: 2,
    }));
    const errors = errorsOf(all, 10);
    const [resets, large, files] = errors.map(({ detail }) => detail) as [string, string, string];
    expect(errors.map(({ count }) => count)).toEqual([4, 4, 2]);
    expect(resets).toBe('read tcp 127.0.0.1:3000: read: connection reset by peer');
    expect(large).toContain('--tool');
    expect(files).toContain('ulimit -n');
    const limits = errors.map(({ limit }) => limit);
    expect(limits).toEqual([null, 'large-headers', 'open-files']);
    expect(errorKindOf('x'.repeat(9_999)).detail).toHaveLength(201);
  });

  test('of many kinds: the ten most frequent have a line each', () => {
    const errors = Array.from({ length: 12 }, (_, at) => ({
      description: `error ${at}`,
      count: at + 1,
    }));
    const told = errorsOf(errors, 78);
    expect(told.length).toBe(11);
    expect(told[0]?.detail).toBe('error 11');
    expect(told[10]).toEqual({ limit: null, detail: 'other errors', count: 3 });
  });
});

test('output of wrk without its number of connections is no report', () => {
  const recording = recorded('wrk-ok.txt');
  expect(() => wrk.parse(recording.replace(/\d+ threads and .*/, ''))).toThrow('connections');
});

test('output of another kind is no report of any tool', () => {
  for (const tool of [bombardier, wrk, oha, vegeta, locust])
    for (const output of ['', '{"result":{"req2xx":"many"}}'])
      expect(() => tool.parse(output)).toThrow();
});

const HOST = new Host('a');
test.each([
  [
    'wrk',
    { 'steady rate': true },
    undefined,
    "wrk can't do what is asked for: steady rate",
    '--tool bombardier or',
  ],
  [
    'locust',
    {},
    HOST,
    "locust can't do what is asked for: load host",
    '--tool bombardier or wrk or oha or vegeta',
  ],
  [
    'auto',
    { 'mix of requests': true, 'steady rate': true },
    HOST,
    'mix of requests',
    'Leave out --load-host',
  ],
])('%s is refused for a load that it can not make: %p', (tool, needs, host, message, remedy) => {
  const problem = {
    message: expect.stringContaining(message),
    remedy: expect.stringContaining(remedy),
  };
  expect(() => findTool(tool, needs, host)).toThrow(expect.objectContaining(problem));
});

describe('a load tool with another one for steady rates beside it', () => {
  const found = (tool: LoadTool): FoundTool => {
    return { tool, version: '1', path: `/bin/${tool.name}`, host: undefined };
  };

  test('leaves those to it, and makes all other loads', () => {
    const both = withToolAtRates(found(bombardier), () => found(vegeta));
    const nameFor = (isPaced: boolean) => toolFor(both, { isPaced }).tool.name;
    expect([nameFor(true), nameFor(false)]).toEqual(['vegeta', 'bombardier']);
    expect(loadCommand(both, loadOf([GET], { rate: 500 }), undefined)).toContain('500/1s');
    expect(loadCommand(both, get, undefined)[0]).toBe('/bin/bombardier');
  });

  test('has none if it is the best one itself, or if no other is here', () => {
    const alone = found(vegeta);
    expect(withToolAtRates(alone, () => found(vegeta))).toBe(alone);
    expect(
      withToolAtRates(alone, () => {
        throw new Error('there is none');
      }),
    ).toBe(alone);
  });
});

test('a load host whose connection is closed tells nothing of the server', () => {
  const reason = 'root@host ended with status 255; it said: Connection closed by remote host';
  const failed = { seconds: 0, statuses: {}, latencyUs: null, failures: { [reason]: 1 } };
  expect(loadResult(failed).errors).toMatchObject([{ isClosed: true }]);
  const [error] = loadResult({ ...failed, failedAs: 'load-tool-failed' }).errors;
  expect(error).toEqual({ limit: null, detail: reason, count: 1 });
});
