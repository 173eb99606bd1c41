import { describe, expect, test } from 'bun:test';
import type { Exported, Loaded, Pair, Result, Side, Usage } from '../result/schema.ts';
import { cleanPairs, fakeExported, fakeResult, fakeTask } from '../testing/fakes.ts';
import { analyse } from './analysis.ts';
import type { Verdict } from './finding.ts';
import { VERDICTS } from './verdicts.ts';

/** A run with nothing wrong, but for what `change` does to it. */
function changed(change: (result: Result) => void): Verdict[] {
  const result = fakeResult();
  change(result);
  return analyse(result).verdicts;
}

/** The same, for each pair, by its place in its row. */
function changedPairs(scenario: string | null, change: (pair: Pair, index: number) => void): Verdict[] {
  return changed(({ pairs }) => {
    const own = pairs.filter((pair) => scenario === null || pair.scenario === scenario);
    for (const [index, pair] of own.entries()) change(pair, index);
  });
}

/** What the probes in the scenario's servers tell. */
function changedUsages(change: (usage: Usage) => void): Verdict[] {
  return changedPairs('other', ({ usage }) => {
    if (usage.scenario) change(usage.scenario);
  });
}

const kinds = (verdicts: Verdict[]) => verdicts.map(({ kind }) => kind);
const messages = (verdicts: Verdict[]) => verdicts.map(({ message }) => message);

/** A server that is busy for a share of its time takes as long for a request, and answers as many fewer. */
function slowDown(loaded: Loaded, share: number): void {
  loaded.cpuNs = (loaded.cpuNs ?? 0) * share;
  loaded.requests *= share;
  if (loaded.latencyUs) loaded.latencyUs.mean /= share;
}

/** How busy one side's server and the load tool's core are in alternating slices. */
function setBusy({ alternating }: Pair, side: Side, serverShare: number, toolShare: number): void {
  for (const slice of alternating) {
    slowDown(slice[side], serverShare);
    slice[side].toolCpuNs = toolShare * 1e9;
    const cores = slice.cores[side];
    if (cores) Object.assign(cores, { server: { busyNs: serverShare * 1e9, stealNs: 0 } });
    if (cores) cores.tool.busyNs = toolShare * 1e9;
  }
}

test('a clean run has none', () => {
  expect(changed(() => {})).toEqual([]);
});

test('each is told with what was seen, what to do, and what it is about', () => {
  const found = changedPairs('other', ({ invalid }, index) => {
    if (index === 2) invalid.push('7 x status 500', 'a server ended');
  });
  expect(found).toEqual([
    {
      kind: 'invalid',
      task: 'default',
      scenario: 'other',
      message: 'Other has no figures: pair 3: 7 x status 500, and 1 more',
      remedy: 'Fix what failed, and measure again',
      changesReading: true,
      quantity: null,
    },
  ]);
});

test('a baseline that gets cheaper beside another server has no cost of its own', () => {
  const beside = (share: number, isSinglePair = false) =>
    changed((result) => {
      const others = result.pairs.filter(({ scenario }) => scenario === 'other');
      for (const { duets } of others) for (const { baseline } of duets) baseline.cpuNs = (baseline.cpuNs ?? 0) * share;
      if (isSinglePair) result.pairs = others.slice(0, 1);
    }).find(({ kind }) => kind === 'pace');
  expect(beside(0.8)).toBeUndefined();
  expect(beside(0.7)?.message).toStartWith(
    'Beside Other, the baseline took 0.70 times the CPU per request that it takes alone:',
  );
  expect(beside(0.7)?.message).toEndWith('Alone, the change is +2.000 µs ±0.040');
  expect(beside(0.7)?.remedy).toBe('If your server has a core to itself, use that change');
  // A single pair has no interval.
  expect(beside(0.7, true)?.message).toMatch(/Alone, the change is \+\d\.\d+ µs \(1 pair: no interval\)$/);
});

test('a row without figures gets no word on its cost, also if its baseline gets cheaper', () => {
  const found = changedPairs('other', ({ alternating, duets, invalid }) => {
    for (const { scenario } of alternating) scenario.requests = 0;
    for (const { baseline } of duets) baseline.cpuNs = (baseline.cpuNs ?? 0) * 0.7;
    invalid.push('no request was answered');
  });
  expect(kinds(found)).toContain('invalid');
  expect(kinds(found)).not.toContain('pace');
});

test('its task is named if there are several', () => {
  const found = changed((result) => {
    result.suite.tasks.push(fakeTask('upload'));
    const pairs = cleanPairs().map((pair) => ({ ...pair, task: 'upload' }));
    pairs[9]?.invalid.push('a server ended');
    result.pairs.push(...pairs);
  });
  expect(messages(found)).toEqual(['Upload: Other has no figures: pair 5: a server ended']);
  expect(found[0]?.task).toBe('upload');
});

test('what changes how figures are to be read comes first, in the order of the list', () => {
  const found = changed((result) => {
    result.environment.frequencyGovernor = 'powersave';
    result.configuration.quick = true;
    result.stoppedBy = 'SIGINT';
    result.proofs = [];
    // Of one pair alone, it changes nothing.
    for (const { warmUp } of result.pairs.slice(0, 1)) warmUp.isSteady = false;
  });
  expect(kinds(found)).toEqual(['stopped', 'quick', 'not-steady', 'frequency-scaling', 'unproven']);
  expect(found.map(({ changesReading }) => changesReading)).toEqual([true, true, false, false, false]);
});

test('every kind of the list is in the documentation', async () => {
  const documented = await Bun.file(`${import.meta.dir}/../../docs/verdicts.md`).text();
  const rows = [...documented.matchAll(/^\| `([a-z-]+)`/gm)].map(([, kind]) => kind);
  expect(new Set(rows)).toEqual(new Set(Object.keys(VERDICTS)));
});

describe('stopped', () => {
  test('by a signal or a problem: so many pairs of those that were planned', () => {
    const found = changed((result) => {
      result.stoppedBy = 'the user';
      result.pairs.splice(4, 1);
    });
    expect(messages(found)).toEqual(['The run ended after 9 of 10 pairs: the user']);
  });

  test('by force: the run never ended', () => {
    const found = changed((result) => {
      result.endedAt = null;
    });
    expect(messages(found)).toEqual(['The run ended after 10 of 10 pairs: it was killed, or still runs']);
  });

  test('by force, before the first pair was measured', () => {
    const found = changed((result) => {
      Object.assign(result, { endedAt: null, pairs: [] });
    });
    expect(messages(found)).toEqual(['The run ended after 0 of 10 pairs: it was killed, or still runs']);
  });
});

describe('telemetry', () => {
  const withExported = (change: (exported: Exported, index: number) => void, side: Side = 'scenario') =>
    changedPairs('other', ({ exported }, index) => {
      exported[side] = fakeExported(1_000, 1_000);
      change(exported[side], index);
    });

  test('dropped-spans: more than one in a thousand did not arrive at the sink', () => {
    expect(withExported((exported) => Object.assign(exported, { spansReceived: 999.5 }))).toEqual([]);
    // Answers that the load tool did not see in one pair make up for nothing in another.
    const found = withExported((exported, index) => {
      exported.spansReceived = index === 0 ? 400 : 1_100;
    });
    expect(messages(found)).toEqual(['12 % of the spans of Other never arrived, so it did less work than it claims']);
    expect(found[0]).toMatchObject({ kind: 'dropped-spans', scenario: 'other', changesReading: true });
  });

  test('dropped-spans: of the baseline too, for it may export as well', () => {
    const found = withExported((exported) => Object.assign(exported, { spansReceived: 990 }), 'baseline');
    expect(found).toMatchObject([{ kind: 'dropped-spans', scenario: 'other' }]);
    expect(messages(found)).toEqual(['1 % of the spans of Base never arrived, so it did less work than it claims']);
  });

  test('dropped-spans: of a sampled count only what is more than chance, and not where nobody knows the count', () => {
    const missing = (count: number) =>
      withExported((exported) => Object.assign(exported, { spansMargin: 50, spansReceived: 1_000 - count }));
    expect(missing(50)).toEqual([]);
    expect(kinds(missing(60))).toEqual(['dropped-spans']);
    expect(withExported((exported) => Object.assign(exported, { spansExpected: null, spansReceived: 7 }))).toEqual([]);
  });

  test('sink-fault: a sink whose count is not to be believed, which then counts for nothing', () => {
    const found = withExported((exported, index) => {
      if (index > 2) Object.assign(exported, { spansReceived: 0, fault: `the sink ended with status ${index}` });
    });
    expect(kinds(found)).toEqual(['sink-fault']);
    expect(messages(found)[0]).toBe(
      'Other: exported spans could not be counted in 2 of 5 pairs: the sink ended with status 3',
    );
  });

  test('unproven: measured, but nothing shows what it recorded', () => {
    const found = changed((result) => void result.proofs.pop());
    expect(messages(found)).toEqual(['Nothing proves what Other recorded']);
    const noInstrumentation = changed((result) => {
      result.proofs = [];
      result.suite.isInstrumentation = false;
    });
    expect(noInstrumentation).toEqual([]);
  });
});

test('inconsistent: the two columns tell different stories', () => {
  const delayed = (byUs: number) =>
    changedPairs('other', ({ alternating }) => {
      for (const { scenario } of alternating) if (scenario.latencyUs) scenario.latencyUs.mean += byUs;
    });
  expect(kinds(delayed(300))).toEqual(['inconsistent']);
  const message = (change: string) => `Other: the change is ${change}, but from CPU per request it should be +0.20 ms`;
  expect(messages(delayed(300))).toEqual([message('+0.50 ms')]);
  expect(messages(delayed(1_234_000))).toEqual([message('+1234 ms')]);
});

describe('tool-bottleneck', () => {
  test('in alternating slices: an idle server, and no time left for the load tool', () => {
    const found = changedPairs('other', (pair) => {
      setBusy(pair, 'scenario', 0.8, 0.97);
      setBusy(pair, 'baseline', 0.7, 0.99);
    });
    // The noise floor's pairs have a busy baseline, so that it is busy for 85 % in the mean.
    expect(kinds(found)).toContain('tool-bottleneck');
    const [first] = found.filter(({ kind }) => kind === 'tool-bottleneck');
    expect(first).toMatchObject({ task: 'default', scenario: null, changesReading: true, quantity: 'latencyUs' });
    expect(first?.message).toContain('for Other (server 80 % busy, load tool 97 %)');
  });

  test('at a steady rate it is not about the change in ms alone: a table shows percentiles beside CPU time', () => {
    const found = changed(({ suite, pairs }) => {
      for (const task of suite.tasks) task.rate = 1_000;
      for (const pair of pairs) setBusy(pair, 'scenario', 0.8, 0.97);
    });
    expect(found).toMatchObject([{ kind: 'tool-bottleneck', quantity: null }]);
  });

  test('names all rows in one', () => {
    const found = changedPairs(null, (pair) => {
      for (const side of ['baseline', 'scenario'] as const) setBusy(pair, side, 0.8, 0.97);
    });
    expect(found).toHaveLength(1);
    expect(found[0]?.message).toContain('for Base and Other (server 80 % busy');
  });

  test('counts the cores of the load tool', () => {
    const found = changed((result) => {
      result.pinning = { serverCore: '0', toolCores: '1-2', toolCoreCount: 2 };
      for (const pair of result.pairs)
        for (const side of ['baseline', 'scenario'] as const) setBusy(pair, side, 0.8, 0.97);
    });
    expect(kinds(found)).toEqual(['unsaturated']);
  });

  test('in duet slices: CPU per request is not affected', () => {
    const found = changedPairs('other', ({ duets }) => {
      for (const { baseline, scenario, cores } of duets) {
        for (const loaded of [baseline, scenario]) slowDown(loaded, 0.8);
        Object.assign(cores ?? {}, {
          server: { busyNs: 8e8, stealNs: 0 },
          tool: { busyNs: 9.5e8, stealNs: 0 },
        });
        for (const loaded of [baseline, scenario]) loaded.toolCpuNs = 4.75e8;
      }
    });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ kind: 'tool-bottleneck', changesReading: false });
    expect(found[0]?.message).toContain('in duet slices of Other (servers 80 % busy, load tool 95 %)');
  });
});

describe('wake-ups', () => {
  const sleeping = (baselineShare: number, scenarioShare: number) =>
    changedPairs('other', ({ duets }) => {
      for (const { baseline, scenario } of duets) {
        baseline.toolSleeps = baseline.requests * baselineShare;
        scenario.toolSleeps = scenario.requests * scenarioShare;
      }
    });

  test('the load tool sleeps beside the scenario, and is never idle beside the baseline', () => {
    expect(messages(sleeping(0.05, 0.55))).toEqual([
      'Other: CPU per request reads up to 2.0 µs too high, because 55 % of its answers had to wake the load tool (baseline: 5 %)',
    ]);
  });

  test('at a steady rate the remedy is a load tool that sends evenly', () => {
    const [verdict] = changed(({ suite, pairs }) => {
      for (const task of suite.tasks) task.rate = 500;
      for (const { duets } of pairs) for (const { scenario } of duets) scenario.toolSleeps = scenario.requests;
    });
    expect(verdict).toMatchObject({ kind: 'wake-ups', remedy: expect.stringMatching(/^Use a load tool that sends/) });
  });

  test('several threads that one answer wakes count once', () => {
    expect(messages(sleeping(0, 3))[0]).toStartWith(
      'Other: CPU per request reads up to 4.0 µs too high, because 100 % of its answers',
    );
  });

  test('not if it sleeps beside both, if nothing was counted, or if the row has no figures', () => {
    expect(sleeping(0.95, 1)).toEqual([]);
    const ended = changedPairs('other', ({ duets, invalid }) => {
      for (const { scenario } of duets) scenario.toolSleeps = 3 * scenario.requests;
      invalid.push('a server ended');
    });
    expect(ended.map(({ kind }) => kind)).toEqual(['invalid']);
    const uncounted = changedPairs(null, ({ duets }) => {
      for (const { scenario } of duets) scenario.toolSleeps = null;
    });
    expect(uncounted).toEqual([]);
  });
});

test('unsaturated: neither server nor load tool had enough to do', () => {
  const found = changedPairs(null, (pair) => {
    for (const side of ['baseline', 'scenario'] as const) setBusy(pair, side, 0.3, 0.4);
  });
  expect(messages(found)).toEqual([
    "The server's core was only 30 % busy for Base and Other, so the change in ms is waiting, not work",
  ]);
});

describe('the machine', () => {
  test('cores-asleep: not kept awake, if CPU time is measured at all', () => {
    const asleep = (duetSlices: number) =>
      changed((result) => {
        result.keepAwake = { missing: '/dev/cpu_dma_latency: permission denied' };
        result.configuration.duetSlices = duetSlices;
      });
    const found = asleep(3);
    expect(kinds(found)).toEqual(['cores-asleep']);
    expect(found[0]?.remedy).toContain('KERNEL=="cpu_dma_latency", MODE="0660"');
    expect(asleep(0)).toEqual([]);
  });

  test('unpinned', () => {
    const found = changed((result) => {
      result.pinning = { missing: 'there is only one core' };
    });
    expect(messages(found)).toEqual(['Server and load tool share cores: there is only one core']);
  });

  test('frequency-scaling: any governor but performance', () => {
    const governed = (frequencyGovernor: string) =>
      kinds(changed(({ environment }) => Object.assign(environment, { frequencyGovernor })));
    expect(governed('powersave')).toEqual(['frequency-scaling']);
    expect(governed('performance')).toEqual([]);
  });

  test('quick', () => {
    expect(kinds(changed(({ configuration }) => Object.assign(configuration, { quick: true })))).toEqual(['quick']);
  });
});

describe('runtimes', () => {
  const withRuntime = (change: object) => kinds(changedUsages(({ runtime }) => Object.assign(runtime, change)));

  test('development-mode: NODE_ENV is another, or none', () => {
    expect(withRuntime({ mode: 'development' })).toEqual(['development-mode']);
    expect(withRuntime({ mode: null })).toEqual(['development-mode']);
  });

  test('mixed-runtimes: in one task', () => {
    expect(withRuntime({ version: '1.4.6' })).toEqual(['mixed-runtimes']);
    const apart = changed((result) => {
      result.suite.tasks.push(fakeTask('second'));
      const pairs = cleanPairs().map((pair) => ({ ...pair, task: 'second' }));
      for (const { usage } of pairs)
        for (const each of [usage.baseline, usage.scenario]) if (each) each.runtime.version = '1.4.6';
      result.pairs.push(...pairs);
    });
    expect(apart).toEqual([]);
  });
});

describe('not-steady', () => {
  const unsteady = (count: number) =>
    changedPairs('other', ({ warmUp }, index) => {
      warmUp.isSteady = index >= count;
    });

  test('changes the reading if more than a quarter of the pairs were not', () => {
    expect(unsteady(3)).toMatchObject([{ kind: 'not-steady', scenario: null, changesReading: true }]);
    expect(messages(unsteady(3))).toEqual([
      'In 3 of 10 pairs a server was not steady when the warm-up ended: its code was still being compiled, or its CPU per request still fell',
    ]);
  });

  test('else is counted', () => {
    expect(unsteady(2)).toMatchObject([{ kind: 'not-steady', changesReading: false }]);
  });
});

describe('trend', () => {
  const rising = (byUs: number) =>
    changedPairs('other', ({ duets }) => {
      for (const [index, { scenario }] of duets.entries())
        scenario.cpuNs = Number(scenario.cpuNs) + index * byUs * scenario.requests * 1e3;
    });

  test('a cost that rises over the duet slices, by more than a twentieth of the change', () => {
    expect(messages(rising(0.2))).toEqual([
      'Other: its cost in CPU per request rose by 0.40 µs from the first duet slice to the last',
    ]);
    expect(rising(0.05)).toEqual([]);
  });
});

describe('rate-not-held', () => {
  const late = (count: number) =>
    changedPairs('other', ({ alternating, duets }, index) => {
      if (index < count) for (const slice of [...alternating, ...duets.slice(0, 2)]) slice.late = '7 of 10 requests';
    });

  test('is told of slices that are left out', () => {
    const [one] = changedPairs('other', ({ duets }, index) => {
      if (index === 0 && duets[0]) duets[0].late = '7 of 10 requests';
    });
    const message = 'Left out: 1 of 25 slices of Other, in which the rate was not held (7 of 10 requests)';
    expect(one).toMatchObject({ kind: 'rate-not-held', scenario: 'other', message, changesReading: false });
  });

  test('no other verdict looks at them', () => {
    const found = changedPairs('other', ({ duets: [late] }, index) => {
      if (index > 0 || !late) return;
      late.late = '7 of 10 requests';
      late.scenario.toolSleeps = late.scenario.requests * 20;
      if (late.cores) late.cores.server.stealNs = 5e8;
    });
    expect(kinds(found)).toEqual(['rate-not-held']);
  });

  test('a pair without a good one is invalid', () => {
    expect(late(1)).toMatchObject([{ kind: 'invalid' }, { kind: 'rate-not-held', changesReading: true }]);
    expect(messages(late(1))[0]).toBe('Other has no figures: pair 1: no slice held the rate: 7 of 10 requests');
  });
});

describe('other-load', () => {
  test("of the server's core: the worst reading, and in how many", () => {
    const found = changedPairs('other', ({ alternating }, index) => {
      const cores = alternating[0]?.cores.scenario;
      if (cores) cores.server.busyNs += index === 0 ? 2e8 : 6e7;
    });
    expect(kinds(found)).toEqual(['other-load']);
    // 10 pairs of 4 alternating and 3 duet slices, each with a reading of both kinds of core.
    expect(messages(found)).toEqual([
      "Other processes took up to 20 % of the server's core (more than 5 % in 5 of 140 readings)",
    ]);
  });

  test('changes how figures are to be read if it is more than a tenth in the mean', () => {
    const taking = (share: number) =>
      changedPairs(null, ({ alternating }) => {
        for (const { cores } of alternating)
          for (const core of [cores.baseline, cores.scenario]) if (core) core.server.busyNs += share * 1e9;
      });
    // 4 of 7 readings of each pair are those of alternating slices.
    expect(taking(0.17)).toMatchObject([{ kind: 'other-load', changesReading: false }]);
    expect(taking(0.18)).toMatchObject([{ kind: 'other-load', changesReading: true, task: null }]);
    expect(messages(taking(0.35))).toEqual([
      "Other processes took 20 % of the server's core, so the figures are those of a busy machine",
    ]);
  });

  test("of the load tool's cores: a share of each of them", () => {
    const found = (toolCoreCount: number) =>
      changed((result) => {
        result.pinning = { serverCore: '0', toolCores: '1-4', toolCoreCount };
        for (const { duets } of result.pairs) for (const { cores } of duets) if (cores) cores.tool.busyNs += 1.6e8;
      });
    expect(messages(found(1))[0]).toContain("16 % of the load tool's core (");
    expect(found(4)).toEqual([]);
  });

  test("of the load tool's cores: a sink is the kit's own, if it is there", () => {
    const found = (sinkCore: { sinkCore?: string }) =>
      changed((result) => {
        result.pinning = { serverCore: '0', toolCores: '1', toolCoreCount: 1, ...sinkCore };
        for (const { duets } of result.pairs)
          for (const { scenario, cores } of duets) {
            scenario.sinkCpuNs = 1.6e8;
            if (cores) cores.tool.busyNs += 1.6e8;
          }
      });
    expect(found({})).toEqual([]);
    expect(messages(found({ sinkCore: '2' }))[0]).toContain("16 % of the load tool's core (");
  });

  test('is not told of the server if no clock reads its time', () => {
    const found = changedPairs(null, ({ alternating, duets }) => {
      for (const { baseline, scenario } of [...alternating, ...duets]) baseline.cpuNs = scenario.cpuNs = null;
    });
    expect(found).toEqual([]);
  });
});

test('steal: more than a hundredth of a core', () => {
  const found = changedPairs('base', ({ duets }) => {
    for (const { cores } of duets) if (cores) cores.tool.stealNs = 3e7;
  });
  expect(messages(found)).toEqual([
    "The hypervisor took up to 3 % of the load tool's core (more than 1 % in 15 of 140 readings)",
  ]);
});
