import { beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { readResult } from '../result/file.ts';
import { fakePlan } from '../testing/fake-plan.ts';
import { fakeWorld } from '../testing/fake-world.ts';
import { testFolder } from '../testing/folder.ts';
import { Problem } from '../words/errors.ts';
import { conclude } from './conclude.ts';
import { planRounds } from './order.ts';
import { writableFile } from './result-path.ts';
import { checkSame, earlierRun } from './resume.ts';
import { run } from './run.ts';

const { path, write } = testFolder();
const fileOf = (name = 'out.json') => path(name);
beforeEach(() => rmSync(fileOf(), { force: true }));

const SHORT = { warmupSeconds: 0, alternatingSlices: 1, duetSlices: 0 };

test('a folder for results is there once there is one, and is not published unasked', async () => {
  const file = writableFile(fileOf('results/out.json'), 'any');
  expect(existsSync(fileOf('results'))).toBe(false);
  writableFile(fileOf('one/two/out.json'), 'any');
  expect(existsSync(fileOf('one'))).toBe(false);
  await run(fakePlan(SHORT), fakeWorld().world, file);
  expect(readdirSync(fileOf('results')).sort()).toEqual(['.gitignore', 'out.json']);
});

/** What was started, in its order. */
const startsIn = (events: string[]) => events.filter((event) => event.startsWith('start'));

test('pairs are measured as the seed says, one after the other, and each is saved before the next', async () => {
  const plan = fakePlan({ ...SHORT, pairs: 3 });
  const { world, events } = fakeWorld();
  const savedAt: number[] = [];
  const startServer = (...args: Parameters<typeof world.startServer>) => {
    savedAt.push(readResult(fileOf()).pairs.length);
    return world.startServer(...args);
  };
  const outcome = await run(plan, { ...world, startServer }, fileOf());
  expect(outcome).toMatchObject({ file: fileOf(), stoppedBy: undefined });
  const planned = planRounds(plan.rows, 3, plan.header.configuration.seed);
  expect(outcome.result.pairs.map(({ scenario }) => scenario)).toEqual(
    planned.map(({ row }) => row.scenario.name),
  );
  expect(startsIn(events)).toEqual(
    planned.flatMap(({ row, startedFirst }) => {
      const names = ['start base', `start ${row.scenario.name}`];
      return startedFirst === 'baseline' ? names : names.reverse();
    }),
  );
  expect(savedAt).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
  expect(readResult(fileOf())).toEqual(outcome.result);
});

test('a pair waits for ports that closed connections keep, but not for good', async () => {
  const startAfterMs = async (keepsPortsForMs: number) => {
    const { world } = fakeWorld({ keepsPortsForMs });
    const startedMs: number[] = [];
    const startServer = (...args: Parameters<typeof world.startServer>) => {
      startedMs.push(world.nowMs());
      return world.startServer(...args);
    };
    await run(fakePlan(SHORT), { ...world, startServer }, fileOf(`${keepsPortsForMs}.json`));
    return startedMs[0];
  };
  expect(await startAfterMs(0)).toBe(0);
  expect(await startAfterMs(5_000)).toBe(5_000);
  expect(await startAfterMs(1e9)).toBe(70_000);
});

test('what programs repeat of headers, query and bodies is a digest in the file; a name that is taken is left alone', async () => {
  const detail =
    'Get "/a?key=of-the-query": Bearer of-the-header, {"of":"the body"}, {\\"of\\":\\"the body\\"}, other';
  const request = { headers: { authorization: 'Bearer of-the-header' }, body: '{"of":"the body"}' };
  const rows = fakePlan(SHORT).rows.map((row) => {
    const exchanges = row.task.exchanges.map((each) => ({
      ...each,
      request: { ...each.request, ...request, path: '/a?key=of-the-query' },
    }));
    return { ...row, task: { ...row.task, exchanges } };
  });
  write('out.json', 'precious');
  const { world } = fakeWorld({ errors: { other: [{ detail, count: 1 }] } });
  const { file } = await run(fakePlan(SHORT, rows), world, fileOf());
  expect(file).toBe(fileOf('out-2.json'));
  const text = readFileSync(fileOf('out-2.json'), 'utf8');
  expect(text).not.toMatch(/of-the|the body/);
  expect(text).toMatch(/Get \\"\/a\?\w{16}\\": \w{16}, \w{16}, \w{16}, other/);
});

test('a row is given up after two pairs without an answer, and the others go on', async () => {
  const { world } = fakeWorld({ rates: { other: 0 } });
  const { result, stoppedBy } = await run(fakePlan({ ...SHORT, pairs: 4 }), world, fileOf());
  expect(stoppedBy).toBeUndefined();
  const of = (name: string) => result.pairs.filter(({ scenario }) => scenario === name).length;
  expect({ base: of('base'), other: of('other') }).toEqual({ base: 4, other: 2 });
});

describe('what can not succeed', () => {
  const errors = (name: string) => ({
    errors: { [name]: [{ detail: 'status 500', count: 3 }] },
  });
  const plan = fakePlan({ warmupSeconds: 10, alternatingSlices: 1, duetSlices: 1, pairs: 4 });

  test('ends the run if it is the baseline: after two pairs, and with one line', async () => {
    const { world, events } = fakeWorld(errors('base'));
    const outcome = await run(plan, world, fileOf());
    expect(outcome.stoppedBy).toBeUndefined();
    expect(outcome.result).toMatchObject({ endReason: 'failed', pairs: [{}, {}] });
    // Two slices of each warm-up, on both servers.
    expect(events.filter((event) => event.startsWith('load'))).toHaveLength(8);
    using stderr = spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(conclude(outcome, [{ kind: 'invalid' }], false)).toBe(1);
    const [line] = stderr.mock.calls.map(([text]) => String(text));
    expect(line).toContain(
      'The run ended: its baseline failed in the same way in two pairs: ' +
        'requests failed (base, warm-up slice 2, 3 times): status 500. Send it that load',
    );
    expect(() => earlierRun(fileOf())).toThrow("can't go on: its baseline failed");
  });

  test('ends a row after two pairs, and the others go on', async () => {
    const { result } = await run(plan, fakeWorld(errors('other')).world, fileOf());
    expect(result.endReason).toBe('complete');
    expect(result.pairs.filter(({ scenario }) => scenario === 'other')).toHaveLength(2);
    expect(result.pairs.filter(({ scenario }) => scenario === 'base')).toHaveLength(4);
  });
});

describe('a limit of time', () => {
  const noisy = (name: string, start: number) => (name === 'other' && start % 2 ? 60 : 10);
  const behaviour = { hasClock: true, costsUs: noisy };
  /** A world in which a load takes its time. */
  const slowWorld = () => {
    const { world } = fakeWorld(behaviour);
    const runLoad: typeof world.runLoad = async (load, ...others) => {
      await world.sleep(load.durationSeconds * 1e3);
      return world.runLoad(load, ...others);
    };
    return { ...world, runLoad };
  };
  const within = { mostPairs: 30, pairs: 4, within: { value: 10, unit: '%' } } as const;

  test('ends the run before the pair that would exceed it; the file says so, and the run can go on', async () => {
    const plan = fakePlan({ ...SHORT, duetSlices: 1, ...within, atMostSeconds: 60 });
    const world = slowWorld();
    const begunMs = world.nowMs();
    const { result, stoppedBy } = await run(plan, world, fileOf());
    expect(stoppedBy).toBeUndefined();
    expect(result.endReason).toBe('time');
    expect(result.pairs.length).toBeWithin(4, 34);
    expect(world.nowMs() - begunMs).toBeLessThanOrEqual(60_000);
    const earlier = earlierRun(fileOf());
    const more = fakePlan({ ...SHORT, duetSlices: 1, ...within, atMostSeconds: 90 });
    checkSame(more, earlier, fileOf());
    const { result: longer } = await run(more, slowWorld(), fileOf(), {
      result: earlier,
      stampAsRead: undefined,
    });
    expect(longer.pairs.length).toBeGreaterThan(result.pairs.length);
  });

  test('is told if it does not do for a single pair, and leaves no file', async () => {
    const plan = fakePlan({ ...SHORT, atMostSeconds: 1 });
    const expectedSeconds = { ...plan.expectedSeconds, pair: 20 };
    await expect(run({ ...plan, expectedSeconds }, fakeWorld().world, fileOf())).rejects.toThrow(
      '1 s are too short for a pair, which takes about 20 s',
    );
    expect(existsSync(fileOf())).toBe(false);
  });
});

test('if one fails, those before it stay, and the file says why the run ended', async () => {
  const { world } = fakeWorld({ wrongFrom: { base: 8 } });
  const { result, stoppedBy } = await run(fakePlan({ ...SHORT, pairs: 3 }), world, fileOf());
  expect(stoppedBy).toBeInstanceOf(Problem);
  expect(result.pairs.length).toBeWithin(1, 6);
  expect(readResult(fileOf())).toMatchObject({
    stoppedBy: stoppedBy?.message,
    pairs: { length: result.pairs.length },
  });
  expect(result.endedAt).not.toBeNull();
});

test('a figure from outside that a reader would refuse is never written', async () => {
  for (const count of [Number.NaN, -1, 0.5, Number.POSITIVE_INFINITY, '7']) {
    const { world } = fakeWorld({ errors: { other: [{ detail: 'x', count: count as number }] } });
    const plan = fakePlan({ ...SHORT, pairs: 2, seed: 1 });
    const { result, stoppedBy } = await run(plan, world, fileOf(`${count}.json`));
    expect(stoppedBy?.message).toStartWith("A pair of other can't be kept: ");
    expect(readResult(fileOf(`${count}.json`)).pairs).toEqual(result.pairs);
  }
});

test('if the first fails there is no file; a bug is not taken for the user’s problem', async () => {
  const { world } = fakeWorld({ missing: ['other', 'base'] });
  await expect(run(fakePlan(SHORT), world, fileOf())).rejects.toThrow('did not start');
  expect(existsSync(fileOf())).toBe(false);
  const broken = { ...world, startServer: () => Promise.reject(new TypeError('a bug')) };
  await expect(run(fakePlan(SHORT), broken, fileOf())).rejects.toThrow('a bug');
});

test('start-ups come first, if they are asked for', async () => {
  const { world, events } = fakeWorld();
  const { result } = await run(fakePlan({ ...SHORT, starts: 2 }), world, fileOf());
  expect(startsIn(events).slice(0, 4)).toEqual(Array(4).fill('start base'));
  expect(result.startUps.map(({ scenario, ms }) => `${scenario} ${ms.baseline.length}`)).toEqual([
    'base 2',
    'other 2',
  ]);
});

test('CPU without requests comes last, of one pair of each row', async () => {
  const { world, events } = fakeWorld({
    hasClock: true,
    idleShares: { base: 0.002, other: 0.005 },
  });
  const plan = fakePlan({ ...SHORT, idleSeconds: 1 });
  const rows = plan.rows.slice(1);
  const { result } = await run({ ...plan, rows }, world, fileOf());
  expect(result.idles).toMatchObject([{ task: 'default', scenario: 'other' }]);
  expect(result.idles[0]?.cpuMsPerSecond.baseline).toBeCloseTo(2);
  expect(result.idles[0]?.cpuMsPerSecond.scenario).toBeCloseTo(5);
  expect(events.filter((event) => event.startsWith('load')).length).toBe(2);
  expect(startsIn(events).length).toBe(4);
});

test('a run ends if another one writes to its file, and keeps its pairs beside that', async () => {
  const { world } = fakeWorld();
  const startServer = (...args: Parameters<typeof world.startServer>) => {
    write('another.json', 'of another run');
    renameSync(path('another.json'), fileOf('shared.json'));
    return world.startServer(...args);
  };
  const shared = fileOf('shared.json');
  const { file, stoppedBy } = await run(fakePlan(SHORT), { ...world, startServer }, shared);
  expect(stoppedBy?.message).toContain('Another run writes to');
  expect(file).toBe(fileOf('shared-2.json'));
  expect(readResult(file).pairs).toHaveLength(1);
});

test('a run does not go on that another one has gone on with', async () => {
  const file = fileOf('going.json');
  const { result } = await run(fakePlan(SHORT), fakeWorld().world, file);
  const plan = fakePlan({ ...SHORT, pairs: 2 });
  const again = run(plan, fakeWorld().world, file, { result, stampAsRead: 'as it was read' });
  await expect(again).rejects.toThrow('Another run writes to');
  expect(existsSync(fileOf('going-2.json'))).toBe(false);
});

test('the status of a run: of an invalid row, of warnings if they are failures, and of what stopped it', async () => {
  const { result } = await run(fakePlan(SHORT), fakeWorld().world, fileOf());
  const done = { result, file: fileOf(), stoppedBy: undefined };
  const quick = [{ kind: 'quick' }];
  expect(conclude(done, quick, false)).toBe(0);
  expect(conclude(done, quick, true)).toBe(1);
  expect(conclude(done, [], true)).toBe(0);
  using stderr = spyOn(process.stderr, 'write').mockReturnValue(true);
  expect(conclude(done, [{ kind: 'invalid' }], false)).toBe(1);
  expect(stderr.mock.calls.map(([text]) => String(text)).join('')).toContain(
    'not all rows have figures',
  );
  expect(conclude({ ...done, stoppedBy: new Problem('a', 'b') }, [], false)).toBe(1);
});
