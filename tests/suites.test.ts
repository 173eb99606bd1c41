// The kit's own suites, for real but as short as can be, and several at a time.
import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { LIMIT_MS, loadedIn, SHORT, SHORTEST, tableIn, WHOLE, Workplace } from './bench.ts';

const LEVELS = {
  baseline: 'Baseline (not instrumented)',
  'inspector-disabled': 'Inspector deactivated',
  'trace-disabled': 'Tracing disabled (metrics only)',
  'trace-active': 'Tracing enabled (metrics + tracing)',
  'trace-10x': '10 nested spans',
};

test.concurrent(
  'the five levels: table, result file, proofs, accounting, and the table again from the file',
  async () => {
    await using place = new Workplace();
    const run = await place.measure([...SHORT, '--seed', '5']);
    const { stdout, stderr, out, result } = run;
    expect(run.outcome).toEqual(WHOLE);
    // Relative to where the user is.
    expect(stderr).toContain('The result is in out.json.');
    const { headings, rows } = tableIn(stdout);
    expect(headings).toEqual(['Test', 'Change per request', 'Server CPU per request', 'Throughput']);
    expect(Object.keys(rows)).toEqual([...Object.values(LEVELS), 'Baseline against itself']);
    expect(rows[LEVELS.baseline]?.join(' ')).toMatch(/^[\d.]+ ms [\d.]+ µs \d+\/s$/);
    expect(rows[LEVELS['trace-10x']]?.[1]).toMatch(/^[+-]?[\d.]+ µs \(1 pair: no interval\)$/);

    expect(result).toMatchObject({ stoppedBy: null, configuration: { seed: 5, connections: 4, pairs: 1 } });
    expect(result.environment.packages).toHaveProperty('@opentelemetry/sdk-trace-base');
    expect(Object.keys(result.keepAwake)).toEqual([expect.stringMatching(/^(how|missing)$/)]);
    expect(result.pairs.map(({ scenario }) => scenario).sort()).toEqual(Object.keys(LEVELS).sort());
    for (const { requests } of loadedIn(result)) expect(requests).toBeGreaterThan(100);
    const spans = Object.fromEntries(result.proofs.map(({ scenario, spans }) => [scenario, spans / 200]));
    expect(spans).toEqual({
      baseline: 0,
      'inspector-disabled': 0,
      'trace-disabled': 0,
      'trace-active': 1,
      'trace-10x': 10,
    });
    for (const { command, usage, exported, ...pair } of result.pairs) {
      expect(command.join(' ')).toContain(result.tool.name);
      const { spansExpected = 0, spansReceived = 0 } = exported.scenario ?? {};
      const requests = ofScenario(pair).reduce((sum, loaded) => sum + loaded.requests, 1);
      expect(spansExpected).toBe(requests * (spans[pair.scenario] ?? 0));
      expect(spansReceived).toBeGreaterThanOrEqual(Number(spansExpected));
      expectSameCpuTime(pair, usage.scenario);
    }

    const again = await place.run(['report', out]);
    expect(again).toEqual({ status: 0, stdout, stderr: '' });
    const json = await place.run(['report', out, '--format', 'json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      suite: { name: 'levels' },
      run: { configuration: { seed: 5 } },
    });
    expect(readdirSync(place.temporary)).toEqual([]);
  },
  LIMIT_MS,
);

type Pair = Parameters<typeof loadedIn>[0]['pairs'][number];
type Slices = Pick<Pair, 'alternating' | 'duets'>;

const ofScenario = ({ alternating, duets }: Slices) => [...alternating, ...duets].map(({ scenario }) => scenario);

/** Two clocks of the same thing, in units of their own: the kit's, and the server's own. */
function expectSameCpuTime(pair: Slices, usage: Pair['usage']['scenario']): void {
  const readUs = ofScenario(pair).reduce((sum, { cpuNs }) => sum + Number(cpuNs) / 1e3, 0);
  const ownUs = Number(usage?.cpuUserUs) + Number(usage?.cpuSystemUs);
  expect(ownUs / readUs).toBeGreaterThan(0.8);
  expect(ownUs / readUs).toBeLessThan(1.6);
}

test.concurrent(
  'workloads: bodies and transformed fields are proven, a mix is sent, and the table has a line for each endpoint',
  async () => {
    await using place = new Workplace();
    const endpoints = ['--endpoints', 'simple,small-post,transforms', '--scenarios', 'transforms'];
    const args = [...SHORTEST, '--suite', 'workloads', ...endpoints, '--tool', 'wrk'];
    const run = await place.measure(args);
    expect(run.outcome).toEqual(WHOLE);
    const { stdout, result } = run;
    expect(result.proofs.map(({ scenario, spans, requests }) => [scenario, spans / requests])).toEqual([
      ['absent', 0],
      ['transforms', 1],
    ]);
    const cells = result.pairs.map(({ task, scenario }) => `${task} ${scenario}`).sort();
    expect(cells).toEqual([
      ...['simple absent', 'simple transforms'],
      ...['small-post absent', 'small-post transforms'],
      ...['transforms absent', 'transforms transforms'],
    ]);
    for (const { scenario, exported } of result.pairs) {
      const { spansExpected = 0, spansReceived = 0 } = exported.scenario ?? {};
      if (scenario === 'transforms') expect(spansExpected).toBeGreaterThan(0);
      expect(spansReceived).toBeGreaterThanOrEqual(Number(spansExpected));
    }
    const { headings, rows } = tableIn(stdout);
    expect(headings.slice(0, 3)).toEqual(['Change per request', 'Absent', 'Active with transforms']);
    expect(Object.keys(rows)).toEqual(['GET simple', 'POST 100 KiB', 'POST login and users in turn']);
  },
  LIMIT_MS,
);

test.concurrent(
  'glue: the inspector, and the same calls by hand, each against its own baseline, without export',
  async () => {
    await using place = new Workplace();
    const run = await place.measure([...SHORTEST, '--suite', 'glue']);
    expect(run.outcome).toEqual(WHOLE);
    const { proofs, pairs } = run.result;
    const spans = Object.fromEntries(proofs.map((proof) => [proof.scenario, proof.spans]));
    expect(spans).toEqual({ baseline: 0, 'trace-active': 200, bare: 0, 'bare-sdk': 200 });
    for (const { exported } of pairs) expect(exported).toEqual({ baseline: null, scenario: null });
  },
  LIMIT_MS,
);

test.concurrent(
  'a mix for a load tool that can send one request only: a clear error',
  async () => {
    await using place = new Workplace();
    const args = ['--suite', 'workloads', '--tool', 'bombardier'];
    const run = await place.run(args);
    expect(run.status).toBe(2);
    expect(run.stderr).toContain("Can't send a mix of requests with bombardier");
    expect(run.stderr).toContain('--tool wrk');
  },
  LIMIT_MS,
);

test.concurrent(
  'body-size: every server tells the size that was sent, on both runtimes, against the baseline of its kind',
  async () => {
    await using place = new Workplace();
    const endpoints = ['--endpoints', 'bun-web-streams,node-web-streams'];
    const scenarios = ['--scenarios', ['bun-web', ...(Bun.which('node') ? ['node-web'] : [])].join(',')];
    const args = [...SHORT, '--connections', '2', '--suite', 'body-size', ...endpoints, ...scenarios];
    const run = await place.measure(args, { BODY_SIZE: '10000000' });
    expect(run.outcome).toEqual(WHOLE);
    const { stdout, result } = run;
    const runtimes = Bun.which('node') ? ['bun', 'node'] : ['bun'];
    expect(result.suite.tasks).toMatchObject(
      runtimes.map((name) => ({ baseline: `${name}-raw-web`, bodyBytes: 10_000_000 })),
    );
    for (const { requests } of loadedIn(result)) expect(requests).toBeGreaterThan(0);
    expect(stdout).toMatch(/\| Task +\| Test +\| .*\| +CPU per MB \|/);
    expect(stdout).toMatch(/\| Bun, node:http, web streams +\| web/);
  },
  LIMIT_MS,
);

test.concurrent(
  'body-size: a size that is none, and a server that counts wrong',
  async () => {
    await using place = new Workplace();
    const run = await place.run(['--suite', 'body-size', '--dry-run'], { BODY_SIZE: 'much' });
    expect(run.status).toBe(2);
    expect(run.stderr).toContain('BODY_SIZE is "much"');
    const request = { method: 'POST', body: 'hello' };
    const suite = place.suite(
      { wrong: "return new Response(null, { headers: { 'x-body-size': '7' } })" },
      { answer: { headers: { 'x-body-size': '5' } }, request },
    );
    const wrong = await place.run([...SHORT, '--suite', suite]);
    expect(wrong.status).toBe(1);
    expect(wrong.stderr).toContain('expected header x-body-size "5", received "7"');
  },
  LIMIT_MS,
);

test.concurrent(
  'calibrate prints true against measured cost',
  async () => {
    await using place = new Workplace();
    const chosen = ['--endpoints', 'bare,busy', '--scenarios', 'bare-40us,busy-10us'];
    const run = await place.measure(['calibrate', ...SHORT, '--warmup', '1s', ...chosen]);
    expect(run.outcome).toEqual(WHOLE);
    const { stdout } = run;
    expect(tableIn(stdout).headings).toEqual(expect.arrayContaining(['True cost', 'Measured', 'Error', 'Covered']));
    for (const task of ['Empty answer', 'Handler of 100 µs'])
      expect(stdout).toMatch(new RegExp(`\\| ${task} +\\|.* -?[\\d.]+ µs \\| +[+-]?[\\d.]+ µs`));
    expect(stdout).toMatch(/\d of \d intervals/);
  },
  LIMIT_MS,
);
