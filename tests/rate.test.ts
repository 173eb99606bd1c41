// Runs at a steady rate, and along a curve, with a real load tool.
import { expect, test } from 'bun:test';
import { HI, LIMIT_MS, SHORT, tableIn, verdictOf, WHOLE, Workplace } from './bench.ts';

const tool = ['bombardier', 'oha', 'h2load'].find(
  (name) => (name === 'bombardier' && process.env.BOMBARDIER) || Bun.which(name),
);
const pacing = ['--tool', String(tool)];

test.skipIf(!tool)(
  'a part of what the baseline can do: the rate is found, held and said, and CPU is the headline',
  async () => {
    await using place = new Workplace();
    const suite = place.suite({ base: `await Bun.sleep(5); ${HI}`, other: `await Bun.sleep(5); ${HI}` });
    const run = await place.measure([...SHORT, ...pacing, '--rate', '30%', '--suite', suite]);
    expect(run.outcome).toEqual(WHOLE);
    const [task] = run.result.suite.tasks;
    const rate = Number(task?.rate);
    expect(task?.rateShare).toBe(0.3);
    // Four connections, 5 ms and a little each.
    expect(rate).toBeGreaterThan(40);
    expect(rate).toBeLessThanOrEqual(240);
    expect(tableIn(run.stdout).headings.slice(0, 2)).toEqual(['Test', 'Server CPU per request']);
    expect(run.stdout).toContain(`server CPU at ${rate} requests/s (30 % of what the baseline can do)`);
    expect(run.stdout).toContain('Latency counts from when a request was');
    for (const { alternating, sliceSeconds } of run.result.pairs)
      for (const { baseline } of alternating) expect(baseline.requests / (rate * sliceSeconds)).toBeWithin(0.98, 1.2);
  },
  LIMIT_MS,
);

test.skipIf(!tool)(
  'a server that can not take the rate: its row has no figures, and that is said',
  async () => {
    await using place = new Workplace();
    const slow = `await (state.last = (state.last ?? Promise.resolve()).then(() => Bun.sleep(20))); ${HI}`;
    const suite = place.suite({ base: HI, slow });
    const run = await place.measure([...SHORT, ...pacing, '--rate', '200', '--suite', suite]);
    expect(run.status).toBe(1);
    expect(tableIn(run.stdout).rows.slow?.[0]).toBe('invalid');
    expect(tableIn(run.stdout).rows['Baseline against itself']?.[0]).toMatch(/µs/);
    expect(verdictOf(run.analysis, 'rate-not-held')).toMatchObject({ scenario: 'slow', changesReading: true });
    expect(run.stdout).toMatch(/no slice held the rate: \d+ of \d+ requests were answered/);
  },
  LIMIT_MS,
);

test(
  'a load tool that has no steady rate',
  async () => {
    await using place = new Workplace();
    const run = await place.run(['--rate', '100', '--tool', 'wrk', '--suite', place.suite({ base: HI })]);
    expect(run.status).toBe(2);
    expect(run.stderr).toContain(
      "Can't send requests at a steady rate with wrk. Use --tool bombardier or oha or h2load or locust",
    );
  },
  LIMIT_MS,
);

test.skipIf(!tool)(
  'a sweep: a row for each value, each server with its own, and the line through them',
  async () => {
    await using place = new Workplace();
    const burn = 'const end = performance.now() + Number(process.env.MS ?? 0); while (performance.now() < end);';
    const sweep = { env: 'MS', values: [0, 0.5, 1], unit: 'ms' };
    const suite = place.suite({ base: HI, burns: `${burn} ${HI}` }, { sweep });
    const run = await place.measure([...SHORT, '--pairs', '2', '--duration', '2s', '--suite', suite]);
    expect(run.outcome).toEqual(WHOLE);
    const { rows } = tableIn(run.stdout);
    expect(Object.keys(rows)).toEqual([
      'base',
      'burns, MS=0',
      'burns, MS=0.5',
      'burns, MS=1',
      'Baseline against itself',
    ]);
    const [line] = run.analysis.curves;
    // The two servers of a duet share a core, so that some of the time is not its own.
    expect(line?.slope.value).toBeGreaterThan(0);
    expect(run.stdout).toMatch(
      /burns adds ~? ?[-\d.]+ µs ±[\d.]+ of server CPU to each request, and ~? ?[\d.]+ µs ±[\d.]+ for each ms/,
    );
    const page = await place.run(['report', run.out, '--html', 'out.html', '--svg', 'pictures']);
    expect(page).toMatchObject({ status: 0, stderr: '' });
  },
  LIMIT_MS,
);

test(
  'a sweep of connections: each task with its own',
  async () => {
    await using place = new Workplace();
    const sweep = { load: 'connections', values: [1, 2, 4], unit: 'connection' };
    const suite = place.suite({ base: HI, other: HI }, { sweep });
    const refused = await place.run([...SHORT, '--suite', suite]);
    expect(refused.stderr).toBe('tracetax: Suite test sets its own connections. Leave out --connections.\n');
    const run = await place.measure([...SHORT.slice(0, SHORT.indexOf('--connections')), '--suite', suite]);
    expect(run.outcome).toEqual(WHOLE);
    const asked = run.result.pairs.map(({ task, command }) => `${task} ${command.join(' ').match(/.* -c (\d+)/)?.[1]}`);
    const each = ['connections-1 1', 'connections-2 2', 'connections-4 4'];
    expect(asked.sort()).toEqual(['connections-1 1', ...each]);
    expect(Object.keys(tableIn(run.stdout).rows)).toEqual(['connections=1', 'connections=2', 'connections=4']);
  },
  LIMIT_MS,
);
