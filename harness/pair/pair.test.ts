import { describe, expect, spyOn, test } from 'bun:test';
import type { PlannedRow } from '../plan/plan.ts';
import { faultOf } from '../result/faults.ts';
import { taskSchema } from '../suite/suite-schema.ts';
import type { Behaviour } from '../testing/fake-behaviour.ts';
import { fakeRows } from '../testing/fake-plan.ts';
import { fakeWorld } from '../testing/fake-world.ts';
import { measureCapacity } from './capacity.ts';
import { measureIdleCpu } from './idle-cpu.ts';
import { measurePair } from './pair.ts';
import { measureStartUps } from './start-ups.ts';
import type { World } from './world.ts';

const SETTINGS = { alternatingSlices: 2, duetSlices: 1, warmupSeconds: 10, sliceSeconds: 1 };

/** Measures the pair of `other` against `base` in a fake world. */
function measuring(behaviour: Behaviour = {}, rows = fakeRows(), more: object = {}) {
  const { world, events } = fakeWorld(behaviour);
  const measured = measurePair(world, pairIn(rows), { ...SETTINGS, ...more });
  return { measured, events };
}

async function measured(...given: Parameters<typeof measuring>) {
  const { measured, events } = measuring(...given);
  return { pair: await measured, events };
}

function otherOf(rows = fakeRows()): PlannedRow {
  return rows[1] as PlannedRow;
}

function pairIn(rows = fakeRows()) {
  return { row: otherOf(rows), startedFirst: 'scenario', loadedFirst: 'baseline' } as const;
}

test('start, check, warm-up, alternating slices, duets, check again, stop: in this order', async () => {
  const { pair, events } = await measured();
  const both = (load: string) => [`load base ${load}`, `load other ${load}`];
  expect(events).toEqual([
    ...['start other', 'check other /', 'start base', 'check base /'],
    // Nothing tells when their compilers rest.
    ...Array(10).fill(both('/ by 5 for 1 s')).flat(),
    // So their first second under the whole load is not measured. Then, too, their answers are
    // checked.
    ...Array(2)
      .fill([
        'load base / by 10 for 1 s',
        'check base /',
        'load other / by 10 for 1 s',
        'check other /',
      ])
      .flat(),
    ...both('/ by 10 for 1 s').reverse(),
    ...both('/ by 5 for 1 s'),
    ...['check base /', 'check other /'],
    ...['stop base', 'stop other'],
  ]);
  expect(pair).toMatchObject({
    task: 'default',
    scenario: 'other',
    isSteady: true,
    sliceSeconds: 1,
    faults: [],
  });
  const slice = {
    baseline: { requests: 1_000 },
    scenario: { requests: 1_000 },
    rateShortfall: null,
  };
  expect(pair.alternating).toMatchObject([slice, slice]);
  // What nothing tells is null.
  expect(pair.usage.scenario).toEqual({ memoryBytes: null, cpuUs: null, probe: null });
  expect(pair.duets[0]).toMatchObject({ cores: null, baseline: { cpuNs: null } });
  expect(Object.keys(pair.seconds)).toEqual(['start', 'warmUp', 'slices', 'stop']);
});

test('a load that fails once in the warm-up does not end it', async () => {
  const { world, events } = fakeWorld();
  const failed = {
    requests: 0,
    seconds: 0,
    errors: [{ limit: null, detail: 'the host is gone', count: 1 }],
    underWay: 0,
  };
  const runLoad = spyOn(world, 'runLoad').mockResolvedValueOnce({
    ...failed,
    latencyUs: null,
    toolCpuNs: 0,
    toolSleeps: null,
  });
  expect(await measurePair(world, pairIn(), SETTINGS)).toMatchObject({
    isSteady: true,
    faults: [],
  });
  expect(runLoad.mock.calls).toHaveLength(
    events.filter((event) => event.startsWith('load')).length + 1,
  );
  expect(events.filter((event) => event === 'load other / by 5 for 1 s')).toHaveLength(11);
});

test('short requests come first in the warm-up, for half of its time', async () => {
  const { exchanges } = taskSchema.parse({
    name: 'short',
    exchanges: [{ request: { path: '/short' } }],
  });
  const { events } = await measured({}, fakeRows({ warmUp: exchanges }), { warmupSeconds: 5 });
  const loads = events
    .filter((event) => event.startsWith('load base'))
    .map((event) => event.split(' ')[2]);
  expect(loads.slice(0, 5)).toEqual(['/short', '/short', '/', '/', '/']);
  expect(events.filter((event) => event.startsWith('check other'))).toEqual(
    Array(4).fill(['check other /', 'check other /short']).flat(),
  );
});

test('what a server puts off until the load has ended is of its own requests, for 3 s at most', async () => {
  const { world } = fakeWorld({ hasClock: true, lingeringMs: { other: 100 } });
  const cpuOfAll = async (world: World) => {
    const { alternating, duets } = await measurePair(world, pairIn(), SETTINGS, {
      cpuSliceKind: 'duets',
    });
    return [...alternating, ...duets].map(({ baseline, scenario }) => [
      baseline.cpuNs,
      scenario.cpuNs,
    ]);
  };
  // Its 1,000 requests take 10 ms.
  expect(await cpuOfAll(world)).toEqual(Array(3).fill([1e7, 1.1e8]));
  const endless = fakeWorld({ hasClock: true, lingeringMs: { other: 60_000 } });
  expect((await cpuOfAll(endless.world))[1]).toEqual([1e7, 3.01e9]);
  // What it does without requests is none of theirs, however long a look at it takes.
  for (const more of [{}, { idleShares: { other: 0.4 }, lookMs: 12 }]) {
    const idling = fakeWorld({ hasClock: true, idleShares: { other: 0.1 }, ...more });
    expect((await cpuOfAll(idling.world))[1]).toEqual([1e7, expect.closeTo(1e7)]);
  }
});

test('what a server does without requests is not done by others on its core', async () => {
  const { world } = fakeWorld({ hasClock: true, idleShares: { other: 0.4 }, hasCores: true });
  const { alternating, duets } = await measurePair(world, pairIn(), SETTINGS, {
    cpuSliceKind: 'duets',
  });
  const ownNs = alternating.map(({ scenario, cores }) => [
    scenario.cpuNs,
    cores.scenario?.server.busyNs,
  ]);
  for (const [cpuNs, busyNs] of ownNs) expect(busyNs).toBeCloseTo(Number(cpuNs));
  // The load tool's cores count until the load ends, and not for the 3 s of rest.
  expect(alternating.at(-1)?.cores.scenario?.tool.busyNs).toBe(0);
  for (const { baseline, scenario, cores } of duets)
    expect(cores?.server.busyNs).toBeCloseTo(Number(baseline.cpuNs) + Number(scenario.cpuNs));
});

test('what servers do without requests is known before the load and after it', async () => {
  const shares = async (behaviour: Behaviour, known = {}) => {
    const { world } = fakeWorld({ hasClock: true, ...behaviour });
    const settings = { ...SETTINGS, alternatingSlices: 1, duetSlices: 0, warmupSeconds: 0 };
    return (await measurePair(world, pairIn(), settings, known)).restingShares;
  };
  const idling = await shares({ idleShares: { other: 0.1 } });
  expect(idling?.beforeLoad).toEqual({ baseline: 0, scenario: expect.closeTo(0.1) });
  expect(idling?.afterLoad).toEqual({ baseline: 0, scenario: expect.closeTo(0.1) });
  // What ends within 3 s was counted, and is not owed any more.
  const ending = await shares({ lingeringMs: { other: 4_000 } });
  expect(ending?.afterLoad).toEqual({ baseline: 0, scenario: 0 });
  const owing = await shares({ lingeringMs: { other: 60_000 } });
  expect(owing?.afterLoad).toEqual({ baseline: 0, scenario: expect.closeTo(1) });
  const sharesBeforeLoad = { baseline: 0.3, scenario: 0.4 };
  expect((await shares({}, { sharesBeforeLoad }))?.beforeLoad).toEqual(sharesBeforeLoad);
  expect((await shares({ hasClock: false }))?.afterLoad).toEqual({
    baseline: null,
    scenario: null,
  });
});

test.each([
  [1_000, 0],
  [3_000, 0],
  [6_000, 1],
])('what a server does for %d ms as it starts is part of no slice', async (startingMs, share) => {
  const { world } = fakeWorld({ hasClock: true, startingMs: { other: startingMs } });
  const { alternating, restingShares } = await measurePair(world, pairIn(), SETTINGS);
  expect(restingShares?.beforeLoad.scenario).toBeCloseTo(share);
  expect(alternating.map(({ scenario }) => scenario.cpuNs)).toEqual([1e7, 1e7]);
});

test('without time to warm up nothing is steady', async () => {
  const { pair, events } = await measured({}, fakeRows(), { warmupSeconds: 0, duetSlices: 0 });
  expect(events.filter((event) => event.startsWith('load'))).toHaveLength(4);
  expect(pair).toMatchObject({ isSteady: false, duets: [] });
});

test('the slices of the warm-up are kept: those of both at once, and then those of each alone', async () => {
  const { pair } = await measured({ hasClock: true, costsUs: () => 20 });
  const load = { requests: 1_000, cpuMs: 20 };
  expect(pair.warmUp).toMatchObject([
    ...Array(10).fill({ baseline: load, scenario: load }),
    { baseline: load, scenario: null },
    { baseline: null, scenario: load },
  ]);
  // Each is idle while the other is alone: once in the warm-up, and in two alternating slices.
  const idle = Array(3).fill({ cpuMs: 0 });
  expect(pair.whileIdle).toMatchObject({ baseline: idle, scenario: idle });
});

describe('connections', () => {
  test('those of the load are as many as were asked for, and nobody asks why', async () => {
    const { pair, events } = await measured();
    expect(pair.alternating[0]?.opened).toEqual({ baseline: 10, scenario: 10 });
    expect(pair.connections).toEqual({
      baseline: { closed: 0, kept: null },
      scenario: { closed: 0, kept: null },
    });
    expect(events.filter((event) => event.startsWith('ask'))).toEqual([]);
  });

  test('a server that closes some is asked until it has closed four', async () => {
    const { pair, events } = await measured({ closes: { other: 10 } });
    expect(pair.alternating[0]?.opened).toEqual({ baseline: 10, scenario: 20 });
    const kept = { asked: 400, announced: 0, unannounced: 4 };
    expect(pair.connections?.scenario).toEqual({ closed: 20, kept });
    expect(events.filter((event) => event.startsWith('ask'))).toEqual(['ask other 400 times']);
  });

  test('one that resets them leaves no trace, and is asked', async () => {
    const { pair } = await measured({ closes: { other: 10 }, resets: true });
    expect(pair.connections?.scenario).toMatchObject({ closed: 0, kept: { unannounced: 4 } });
  });

  test('both are asked at a steady rate, and if those of the load tool tell nothing', async () => {
    const both = ['ask base 4000 times', 'ask other 4000 times'];
    const cases: [Behaviour, { rate?: number }][] = [
      [{}, { rate: 100 }],
      [{ opensMore: true }, {}],
    ];
    for (const [behaviour, more] of cases) {
      const { events } = await measured(behaviour, fakeRows(more));
      expect(events.filter((event) => event.startsWith('ask'))).toEqual(both);
    }
  });

  test('requests on connections that are kept leave spans, too', async () => {
    const rows = fakeRows({}, { sink: true, spans: { perRequest: 1, sampled: 1 } });
    const { pair } = await measured({ closes: { other: 10 }, spans: 14_400 }, rows);
    expect(pair.exported.scenario?.payloads?.requests).toBe(14_004 + 396);
  });

  test('a load tool tells those alone that fail several times, so the server is asked', async () => {
    const detail = 'the server closed connection before returning the first response byte';
    const told = { detail, count: 2, limit: null, isClosed: true as const };
    const { pair } = await measured({ closes: { other: 10 }, errors: { other: [told] } });
    expect(pair.faults[0]).toMatchObject({ kind: 'connections-closed', detail });
    expect(pair.connections?.scenario.kept?.unannounced).toBeGreaterThan(1);
  });

  test('of a server that does not answer, nobody asks', async () => {
    const { pair, events } = await measured({ rates: { other: 0 }, closes: { base: 10 } });
    expect(pair.connections).toBeNull();
    expect(events.filter((event) => event.startsWith('ask'))).toEqual([]);
  });
});

describe('rates', () => {
  test('slices are as long as the slower server needs for 200 answers', async () => {
    const { pair, events } = await measured({ rates: { other: 50 } });
    expect(pair.sliceSeconds).toBe(4);
    expect(events).toContain('load base / by 10 for 4 s');
  });

  test('what is silent without an error has slices of half a minute: some load tools leave before the first answer', async () => {
    const { pair, events } = await measured({ rates: { other: 0 } });
    expect(pair.sliceSeconds).toBe(30);
    expect(events.filter((event) => event === 'load other / by 5 for 1 s')).toHaveLength(10);
    const failing = { other: [{ detail: 'timeout', count: 1 }] };
    expect((await measured({ rates: { other: 0 }, errors: failing })).pair.sliceSeconds).toBe(1);
  });

  test('the warm-up takes whatever is answered, slices the rate on each server, and as long as it needs', async () => {
    const { pair, events } = await measured({}, fakeRows({ rate: 100 }));
    expect(events).toContain('load base / by 5 for 1 s');
    expect(events).toContain('load base / by 10 for 2 s at 100/s');
    expect(events).toContain('load other / by 5 for 2 s at 100/s');
    expect(pair.alternating[0]?.rateShortfall).toBeNull();
  });

  test('each server settles at the rate before its slices', async () => {
    const { events } = await measured({ hasClock: true }, fakeRows({ rate: 100 }));
    const settling = events.filter((event) => event.includes('for 5 s at 100/s'));
    expect(settling).toEqual([
      'load base / by 10 for 5 s at 100/s',
      'load other / by 10 for 5 s at 100/s',
    ]);
  });

  test('what comes after a warm-up at full load is counted by itself', async () => {
    const sinceWarmUp = async (rate?: number) => {
      const task = rate === undefined ? {} : { rate };
      const rows = fakeRows(task, { sink: true, spans: { perRequest: 1, sampled: 1 } });
      const { pair } = await measured({ spans: 7 }, rows);
      return pair.exported.scenario?.sinceWarmUp;
    };
    expect(await sinceWarmUp(100)).toMatchObject({ spansReceived: 0 });
    expect(await sinceWarmUp()).toBeUndefined();
  });

  test('a slice with too few answers says so; if all of a kind do, that is a fault', async () => {
    const { pair } = await measured({ rates: { other: 400 } }, fakeRows({ rate: 500 }));
    const detail = '400 of 500 requests were answered';
    expect(pair.alternating[0]?.rateShortfall).toBe(detail);
    const fault = faultOf('rate-not-held', detail);
    expect(pair.faults).toEqual([fault]);
    expect(pair.duets).toEqual([]);
  });

  test('a pair ends with its second slice if the rate was held neither there nor before', async () => {
    const row = fakeRows({ rate: 500 });
    const { pair } = await measured({ rates: { other: 400 } }, row, { alternatingSlices: 4 });
    expect(pair.alternating).toHaveLength(2);
    const held = await measured({}, row, { alternatingSlices: 4 });
    expect(held.pair.alternating).toHaveLength(4);
  });
});

describe('faults', () => {
  const slice = (kind: 'warm-up' | 'alternating' | 'duet', number: number) => ({ kind, number });
  const loadsIn = (events: string[]) => events.filter((event) => event.startsWith('load'));

  const errors = { other: [{ detail: 'status 500', count: 3 }] };
  const failed = faultOf('requests-failed', 'status 500', 'other', 3);

  test.each([
    ['never answers rightly', () => true, 2],
    ['turns wrong', (load: number) => load >= 6, 7],
    ['fails once in its start, and then turns wrong', (load: number) => load === 1 || load > 3, 5],
  ])('the pair of a server that %s ends in the warm-up', async (_, errorsIn, number) => {
    const { pair, events } = await measured({ errors, errorsIn, spans: 0 });
    expect(pair.faults).toEqual([{ ...failed, slice: slice('warm-up', number) }]);
    expect(pair).toMatchObject({ alternating: [], duets: [], turns: [] });
    expect(loadsIn(events)).toHaveLength(2 * number);
  });

  test('what fails in one slice of the warm-up alone, before it is warm, is no fault', async () => {
    const { pair } = await measured({ errors, errorsIn: (load) => load % 2 === 1 && load < 11 });
    expect(pair.faults).toEqual([]);
  });

  test('errors are counted, in the first slice that has them, and end the pair', async () => {
    const { pair, events } = await measured({ errors, errorsIn: (load) => load > 11 });
    expect(pair.faults).toEqual([{ ...failed, slice: slice('alternating', 1) }]);
    expect(loadsIn(events).at(-1)).toEndWith('by 10 for 1 s');
    expect(pair.duets).toEqual([]);
  });

  test('a server in development mode, on whichever side', async () => {
    for (const [name, mode] of [
      ['base', null],
      ['other', 'development'],
    ] as const) {
      const { pair } = await measured({ modes: { base: 'production', [name]: mode } });
      const detail = `NODE_ENV is ${mode ?? 'not set'}`;
      expect(pair.faults).toEqual([faultOf('development-mode', detail, name)]);
    }
  });

  test('a server that ends, and one that answers nothing', async () => {
    const { pair, events } = await measured({ rates: { other: 0 }, ending: ['other'] });
    const detail = 'with signal SIGKILL; it said: out of memory';
    expect(pair.faults.slice(0, 2)).toEqual([
      { ...faultOf('server-ended', detail, 'other'), slice: slice('warm-up', 1) },
      { ...faultOf('no-answer', '', 'other'), slice: slice('warm-up', 1) },
    ]);
    // Nothing is asked of it again, and the warm-up ends at once.
    expect(events.filter((event) => event.startsWith('check other'))).toHaveLength(1);
    expect(events.filter((event) => event.endsWith('by 5 for 1 s'))).toHaveLength(2);
  });

  test('a server that ends after its last slice', async () => {
    const loadsOf = (events: string[]) => events.filter((event) => event.startsWith('load other'));
    const { events } = await measured();
    const { pair } = await measured({ endingAfter: { other: loadsOf(events).length } });
    const detail = 'with signal SIGKILL; it said: out of memory';
    expect(pair.faults).toEqual([faultOf('server-ended', detail, 'other')]);
  });

  test('a load tool that fails: it is not the server that is said to', async () => {
    const { pair } = await measured({ failingTools: ['other'], outOfMemory: ['other'] });
    expect(pair.faults).toEqual([
      { ...faultOf('load-tool-failed', 'bombardier ended', 'other'), slice: slice('warm-up', 2) },
    ]);
  });

  test('a server that answers nothing in time is silent, and no limit of the load tool', async () => {
    const detail = 'no answer in time';
    const { pair } = await measured({
      rates: { other: 0 },
      errors: { other: [{ limit: 'slow-answer', detail, count: 1 }] },
    });
    expect(pair.faults[0]).toMatchObject({ kind: 'no-answer', scenario: 'other', detail });
  });

  test('a request that is never answered, if the load tool told of no other one', async () => {
    const { world } = fakeWorld();
    const detail = 'bombardier still waited for an answer after 16 s';
    const runLoad = async (load: Parameters<World['runLoad']>[0]) => ({
      ...(await world.runLoad(load)),
      requests: 0,
      errors: [{ limit: null, detail, count: 1 }],
      failedAs: 'answer-missing' as const,
    });
    const { faults } = await measurePair({ ...world, runLoad }, pairIn(), SETTINGS);
    expect(faults[0]).toMatchObject({ kind: 'answer-missing', detail });
    expect(faults.map(({ kind }) => kind)).not.toContain('no-answer');
  });

  test('a server of which the kernel kills a process for lack of memory', async () => {
    const memory = { limitBytes: 300 * 2 ** 20, takenBytes: 0 };
    const { pair } = await measured({
      rates: { other: 0 },
      ending: ['other'],
      outOfMemory: ['other'],
      container: { cpu: null, memory },
    });
    const detail = 'its container may use 300 MiB, and the kernel killed a process of it';
    expect(pair.faults[0]).toEqual({
      ...faultOf('out-of-memory', detail, 'other'),
      slice: slice('warm-up', 1),
    });
  });

  test('how far all came to the limits of their container is kept', async () => {
    const container = { cpu: null, memory: { limitBytes: 300, takenBytes: 200 } };
    expect((await measured({ container })).pair.container).toEqual(container);
  });

  test('a kill of something else for lack of memory is no fault of a server', async () => {
    const { pair } = await measured({ outOfMemory: ['other'] });
    expect(pair).not.toHaveProperty('container');
    expect(pair.faults).toEqual([]);
  });

  test('an answer that turns wrong under load', async () => {
    const detail = 'gave a wrong answer: expected status 200, received 500';
    const afterwards = faultOf('wrong-answer-afterwards', detail, 'other');
    const underLoad = faultOf('wrong-answer-under-load', detail, 'other');
    const warm = await measured({ wrongFrom: { other: 2 } });
    expect(warm.pair.faults).toEqual([{ ...underLoad, slice: slice('warm-up', 11) }]);
    const busy = await measured({ wrongFrom: { other: 3 } });
    expect(busy.pair.faults).toEqual([{ ...underLoad, slice: slice('alternating', 1) }]);
    const later = await measured({ wrongFrom: { other: 4 } });
    expect(later.pair.faults).toEqual([afterwards]);
  });

  test.each([
    [
      'a server that does not start',
      { missing: ['base'] },
      ['check other /', 'start base', 'stop other'],
    ],
    [
      'an answer that is wrong at once',
      { wrongFrom: { base: 1 } },
      ['check base /', 'stop base', 'stop other'],
    ],
  ])('%s ends the pair, and no server stays', async (_, behaviour, last) => {
    const { measured, events } = measuring(behaviour);
    await expect(measured).rejects.toThrow('Scenario base');
    expect(events.slice(-3)).toEqual(last);
  });
});

test('a sink starts before its server and ends after it; all of the life of the server is expected in it', async () => {
  // Four checks, eleven slices of warm-up, two alternating ones and a duet.
  const spans = 2 * (4 + 14_000);
  const rows = fakeRows({}, { sink: true, spans: { perRequest: 2, sampled: 1 } });
  const { pair, events } = await measured({ spans }, rows);
  expect(events.slice(0, 3)).toEqual(['start sink', 'start other for sink', 'check other /']);
  expect(events.slice(-3)).toEqual(['stop base', 'stop other', 'stop sink']);
  const received = {
    spansExpected: spans,
    spansDeviation: 0,
    spansReceived: spans,
    refused: [],
    fault: null,
  };
  const payloads = { count: 3, bytes: 70, requests: 14_004 };
  expect(pair.exported).toEqual({
    baseline: null,
    scenario: { ...received, payloads, metricPayloads: 1 },
  });
});

test('what a baseline can do: of two servers in turn, for 3 s each, in a closed loop', async () => {
  const { world, events } = fakeWorld({ rates: { base: 700 } });
  const row = otherOf(fakeRows({ rate: 10 }));
  expect(await measureCapacity(world, row, SETTINGS.warmupSeconds)).toBe(700);
  expect(events.filter((event) => event === 'load base / by 10 for 3 s')).toHaveLength(2);
  const failing = fakeWorld({ errors: { base: [{ detail: 'timeout', count: 1 }] } });
  await expect(measureCapacity(failing.world, row, SETTINGS.warmupSeconds)).rejects.toThrow(
    'requests failed (base, warm-up slice 2): timeout',
  );
});

test('start-ups of both by turns, each on its own', async () => {
  const { world, events } = fakeWorld();
  const { ms } = await measureStartUps(world, otherOf(), 2);
  const of = (name: string) => [`start ${name}`, `check ${name} /`, `stop ${name}`];
  expect(events).toEqual([...of('base'), ...of('other'), ...of('other'), ...of('base')]);
  expect(ms).toEqual({ baseline: [10, 10], scenario: [10, 10] });
});

test('CPU without requests is what each server takes of its core then', async () => {
  const { world, events } = fakeWorld({
    hasClock: true,
    idleShares: { base: 0.001, other: 0.004 },
  });
  const idle = await measureIdleCpu(world, otherOf(), 2);
  expect(idle).toMatchObject({ task: 'default', scenario: 'other' });
  expect(idle?.cpuMsPerSecond.baseline).toBeCloseTo(1);
  expect(idle?.cpuMsPerSecond.scenario).toBeCloseTo(4);
  expect(events.filter((event) => event.startsWith('load'))).toEqual([]);
});

test('without a clock there is no CPU without requests', async () => {
  expect(await measureIdleCpu(fakeWorld().world, otherOf(), 2)).toBeUndefined();
});

describe('turns', () => {
  const COSTS_MUCH = { hasClock: true, costsUs: (name: string) => (name === 'other' ? 12 : 10) };

  test('a row that costs more than a tenth of the baseline has them, in the time of its duets', async () => {
    const { pair, events } = await measured(COSTS_MUCH, fakeRows(), { duetSlices: 3 });
    expect(pair.duets).toEqual([]);
    expect(pair.turns).toMatchObject([
      { baseline: { requests: 3_000, cpuNs: 3e7 }, scenario: { requests: 3_000, cpuNs: 3.6e7 } },
    ]);
    expect(events).toContain('load base / by 10 for 3 s');
  });

  test('a row that costs less has duets, and so has the baseline against itself', async () => {
    const costsLittle = {
      hasClock: true,
      costsUs: (name: string) => (name === 'other' ? 10.9 : 10),
    };
    const { pair } = await measured(costsLittle);
    expect(pair).toMatchObject({ turns: [], duets: { length: 1 } });
    const [row] = fakeRows();
    const itself = { ...pairIn(), row: row as PlannedRow };
    const world = fakeWorld({ hasClock: true, costsUs: (_, start) => 10 * start }).world;
    expect(await measurePair(world, itself, SETTINGS)).toMatchObject({ turns: [] });
  });

  test('at a steady rate, such a row has as many more alternating slices', async () => {
    const { pair } = await measured(COSTS_MUCH, fakeRows({ rate: 100 }), { duetSlices: 3 });
    expect(pair).toMatchObject({ turns: [], duets: [], cpuFrom: 'alternating' });
    expect(pair.alternating).toHaveLength(SETTINGS.alternatingSlices + 3);
    const alike = await measured({ hasClock: true }, fakeRows({ rate: 100 }), { duetSlices: 3 });
    expect(alike.pair.duets).toHaveLength(3);
    expect(alike.pair.cpuFrom).toBe('duets');
  });

  test('what the row had before decides, whatever the warm-up of this pair shows', async () => {
    const { world } = fakeWorld(COSTS_MUCH);
    expect(await measurePair(world, pairIn(), SETTINGS, { cpuSliceKind: 'duets' })).toMatchObject({
      turns: [],
    });
    const alike = fakeWorld({ hasClock: true }).world;
    expect(await measurePair(alike, pairIn(), SETTINGS, { cpuSliceKind: 'turns' })).toMatchObject({
      duets: [],
    });
  });

  test('one server is stopped while the other has the core, and in the end both go on', async () => {
    const { world, events } = fakeWorld(COSTS_MUCH);
    // The load lasts for three turns.
    let turns = 0;
    const lasting = Promise.withResolvers<void>();
    const runLoad = async (load: Parameters<World['runLoad']>[0]) => {
      const loaded = await world.runLoad(load);
      if (load.durationSeconds === 5) await lasting.promise;
      return loaded;
    };
    const sleep = async (ms: number) => {
      if (ms === 250 && ++turns === 3) lasting.resolve();
      await world.sleep(ms);
    };
    const settings = { ...SETTINGS, duetSlices: 5 };
    await measurePair({ ...world, runLoad, sleep }, pairIn(), settings, { cpuSliceKind: 'turns' });
    const acts = events.filter((event) => /^(pause|resume)/.test(event));
    expect(acts.slice(0, 6)).toEqual([
      ...['pause other', 'resume base'],
      ...['pause base', 'resume other'],
      ...['pause other', 'resume base'],
    ]);
    expect(acts.slice(-2)).toEqual(['resume base', 'resume other']);
  });

  test('a load tool that can not be started leaves no server stopped', async () => {
    const { world, events } = fakeWorld(COSTS_MUCH);
    const runLoad = (load: Parameters<World['runLoad']>[0]) =>
      load.durationSeconds === 5 ? Promise.reject(new Error('no tool')) : world.runLoad(load);
    const settings = { ...SETTINGS, duetSlices: 5 };
    const measuring = measurePair({ ...world, runLoad }, pairIn(), settings, {
      cpuSliceKind: 'turns',
    });
    await expect(measuring).rejects.toThrow('no tool');
    const acts = events.filter((event) => /^(pause|resume)/.test(event));
    expect(acts.slice(-2)).toEqual(['resume base', 'resume other']);
  });
});
