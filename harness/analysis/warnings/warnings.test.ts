import { describe, expect, test } from 'bun:test';
import type { Loaded, Pair, Result, Side } from '../../result/schema.ts';
import {
  asRevisions,
  cleanPairs,
  fakeExported,
  fakeFault,
  fakeResult,
  fakeTask,
} from '../../testing/fakes.ts';
import { analyse } from '../analysis.ts';
import { WARNINGS, type Warning } from './list.ts';

/** A run with nothing wrong, but for what `change` does to it. */
function changed(change: (result: Result) => void): Warning[] {
  const result = fakeResult();
  change(result);
  return analyse(result).warnings;
}

/** The same, for each pair of `other`, by its place in its row. */
function changedPairs(change: (pair: Pair, index: number) => void): Warning[] {
  return changed(({ pairs }) =>
    pairs.filter(({ scenario }) => scenario === 'other').forEach(change),
  );
}

const kinds = (warnings: Warning[]) => warnings.map(({ kind }) => kind);
const texts = (warnings: Warning[]) => warnings.map(({ text }) => text);

/**
 * A server that is busy for a share of its time takes as long for a request, and answers as many
 * fewer.
 */
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

test('every kind of the list is in the documentation', async () => {
  const documented = await Bun.file(`${import.meta.dir}/../../../docs/reading.md`).text();
  const rows = [...documented.matchAll(/^\| `([a-z-]+)`/gm)].map(([, kind]) => kind);
  expect(rows).toEqual(Object.keys(WARNINGS));
  expect(rows.length).toBeLessThanOrEqual(15);
});

/**
 * What the golden files of reports show is not tried again: stopped and unpinned runs, those on
 * several runtimes, and how faults are told.
 */

test('stopped: a run that was killed, without a pair', () => {
  const killed = changed((result) => Object.assign(result, { endedAt: null, pairs: [] }));
  const reason = 'it was killed, or still runs';
  expect(texts(killed)).toEqual([
    `Not all was measured: the run ended after 0 of 10 pairs (${reason})`,
  ]);
});

test('stopped: a comparison of two revisions does not go on', () => {
  const remedyOf = (change: (result: Result) => void) =>
    changed((result) => change(Object.assign(result, { stoppedBy: 'of it' })))[0]?.remedy;
  expect(remedyOf(() => {})).toBe('Go on with --resume, or measure again');
  // Later values of a sweep have no pairs of the baseline with itself.
  const later = fakeTask('default', ['other']);
  expect(remedyOf(({ suite }) => suite.tasks.splice(0, 1, later))).toBe(
    'Go on with --resume, or measure again',
  );
  expect(remedyOf(asRevisions)).toBe('Measure again');
});

describe('invalid', () => {
  test('its task is named if there are several', () => {
    const found = changed((result) => {
      result.suite.tasks.push(fakeTask('upload'));
      const pairs = cleanPairs().map((pair) => ({ ...pair, task: 'upload' }));
      pairs[9]?.faults.push(fakeFault());
      result.pairs.push(...pairs);
    });
    expect(found).toMatchObject([
      { task: 'upload', text: expect.stringMatching(/^Upload: Other has no figures/) },
    ]);
  });
});

describe('dropped-spans', () => {
  const received = (side: Side, of: (index: number) => number, deviation = 0) =>
    changedPairs(({ exported }, index) => {
      exported[side] = fakeExported(10_000, of(index), deviation);
    });

  test('more than one in a thousand, of either server', () => {
    expect(received('scenario', () => 9_991)).toEqual([]);
    const low = 'Other: the cost reads too low: 1 % of its spans never arrived';
    const found = received('scenario', () => 9_900);
    expect(found).toMatchObject([{ kind: 'dropped-spans', scenario: 'other', text: low }]);
    const high = "Other: the cost reads too high: 1 % of the baseline's spans never arrived";
    expect(texts(received('baseline', () => 9_900))).toEqual([high]);
  });

  test('answers that the load tool did not see in one pair make up for nothing in another', () => {
    const [found] = received('scenario', (index) => (index === 0 ? 4_000 : 11_000));
    expect(found?.text).toContain('12 % of its spans never arrived');
  });

  test('of sampled requests by more than chance can do', () => {
    // Five pairs with a deviation of 100 each have one of 224 together.
    expect(received('scenario', () => 10_000 - 220, 100)).toEqual([]);
    expect(received('scenario', (index) => (index % 2 === 0 ? 9_700 : 10_300), 100)).toEqual([]);
    expect(kinds(received('scenario', () => 10_000 - 230, 100))).toEqual(['dropped-spans']);
  });
});

test('not-steady: more than a quarter of the pairs', () => {
  const unsteady = (count: number) =>
    changedPairs((pair, index) => {
      pair.isSteady = index >= count;
    });
  const seen = 'in 3 of 10 pairs a server was not steady when the warm-up ended';
  expect(texts(unsteady(3))).toEqual([`Costs may read too high: ${seen}`]);
  expect(unsteady(2)).toEqual([]);
});

test('quick: it says itself that servers may not be steady', () => {
  const found = changed((result) => {
    result.configuration.isQuick = true;
    for (const pair of result.pairs) pair.isSteady = false;
  });
  expect(texts(found)).toEqual([expect.stringMatching(/^Not for publishing: /)]);
});

describe('rate-not-held', () => {
  const late = (count: number) =>
    changedPairs(({ duets: [slice] }, index) => {
      if (index < count && slice) slice.late = '7 of 10 requests';
    });

  test('more than a tenth of the slices', () => {
    const text =
      'Other: figures are of fewer slices: ' +
      'the rate was not held in 5 of 25 slices (7 of 10 requests)';
    expect(late(5)).toMatchObject([{ kind: 'rate-not-held', scenario: 'other', text }]);
    expect(late(2)).toEqual([]);
  });

  test('a row without figures is invalid, and no more; the remedy is that of the rate', () => {
    const found = changedPairs((pair, index) => {
      for (const slice of pair.duets) slice.late = '7 of 10 requests';
      pair.faults.push(fakeFault({ kind: 'rate-not-held', scenario: null }));
      pair.isSteady = index > 3;
      pair.exported.scenario = fakeExported(1_000, 900);
    });
    expect(found).toMatchObject([
      { kind: 'invalid', remedy: expect.stringContaining('Use a lower --rate') },
    ]);
  });

  test('no other warning looks at them', () => {
    const found = changedPairs(({ duets: [late] }, index) => {
      if (index > 0 || !late) return;
      late.late = '7 of 10 requests';
      late.scenario.toolSleeps = late.scenario.requests * 20;
      if (late.cores) late.cores.server.stealNs = 5e8;
    });
    expect(found).toEqual([]);
  });
});

test('busy-machine: more than a tenth of the core, in more than one slice of twenty', () => {
  const taking = (share: number, of: 'busyNs' | 'stealNs', pairCount: number) =>
    changed(({ pairs }) => {
      for (const { alternating } of pairs.slice(0, pairCount))
        for (const { cores } of alternating.slice(0, 1))
          if (cores.baseline) cores.baseline.server[of] += share * 1e9;
    });
  // One of the 7 readings of a pair: of ten pairs, three have 4 % of all, and four have 6 %.
  expect(taking(0.2, 'busyNs', 3)).toEqual([]);
  expect(taking(0.09, 'busyNs', 10)).toEqual([]);
  // What a load tool failed to load tells nothing.
  const failed = changed(({ pairs }) => {
    for (const { baseline, cores } of pairs.flatMap(({ alternating }) => alternating)) {
      baseline.seconds = 0;
      if (cores.baseline) cores.baseline.server.busyNs += 2e8;
    }
  });
  expect(failed.map(({ kind }) => kind)).not.toContain('busy-machine');
  const off = 'Figures may be off by more than their intervals say: in 5.7 % of the slices';
  expect(texts(taking(0.2, 'busyNs', 4))).toEqual([
    `${off} other processes took more than a tenth of the server's core`,
  ]);
  expect(texts(taking(0.2, 'stealNs', 4))).toEqual([
    `${off} the hypervisor took more than a tenth of the server's core`,
  ]);
});

describe('load-tool', () => {
  const busy = (server: number, tool: number, change = (_: Result) => {}) =>
    changed((result) => {
      for (const pair of result.pairs)
        for (const side of ['baseline', 'scenario'] as const) setBusy(pair, side, server, tool);
      change(result);
    });

  test('is the limit of all rows in one, of which latency alone suffers', () => {
    const seen =
      "the load tool was full, and the server's core was only 80 % busy for Base and Other";
    const text = `The change in ms understates the cost: ${seen}`;
    const found = { kind: 'load-tool', scenario: null, text };
    expect(busy(0.8, 0.97)).toMatchObject([found]);
  });

  test('neither server nor load tool had enough to do, by all its cores', () => {
    const waiting =
      'The change in ms is waiting, not work: ' +
      "the server's core was only 30 % busy for Base and Other";
    expect(texts(busy(0.3, 0.4))).toEqual([waiting]);
    const cores = busy(0.3, 0.97, ({ pinning }) =>
      Object.assign(pinning, { toolCores: '1-2', toolCoreCount: 2 }),
    );
    expect(texts(cores)).toEqual([waiting]);
  });

  test('nobody sees how busy a load tool elsewhere was', () => {
    const [text] = texts(busy(0.3, 0.97, ({ tool }) => Object.assign(tool, { host: 'far' })));
    expect(text).toStartWith('The change in ms may be waiting: ');
  });
});

describe('wake-ups', () => {
  const sleeping = (
    baselineShare: number,
    scenarioShare: number,
    change: (result: Result) => void = () => {},
  ) =>
    changed((result) => {
      for (const { duets } of result.pairs.filter(({ scenario }) => scenario === 'other'))
        for (const { baseline, scenario } of duets) {
          baseline.toolSleeps = baseline.requests * baselineShare;
          scenario.toolSleeps = scenario.requests * scenarioShare;
        }
      change(result);
    });

  test('an estimate with its error, by the price measured here with cores as they were', () => {
    const text =
      'Other: CPU per request reads about 2.000 ±0.050 µs too high: ' +
      'more of its answers wake the load tool';
    expect(sleeping(0.05, 0.55)).toMatchObject([{ kind: 'wake-ups', scenario: 'other', text }]);
    // Several threads that one answer wakes count once.
    expect(sleeping(0, 3)[0]?.text).toContain('about 4.00 ±');
  });

  test('the remedy is one that helps: cores awake, else a steady rate, else another machine', () => {
    const [closed] = sleeping(0, 1);
    expect(closed?.remedy).toStartWith('Measure at a steady rate');
    const [paced] = sleeping(0, 1, ({ suite }) =>
      Object.assign(suite.tasks[0] ?? {}, { rate: 500 }),
    );
    expect(paced?.remedy).toStartWith('Measure on a machine that is not virtual');
    const [asleep, ...others] = sleeping(0, 1, (result) => {
      result.keepAwake = { missing: 'switched off with --no-keep-awake' };
      Object.assign(result.environment.wakeUp ?? {}, { held: null });
    });
    expect(asleep).toMatchObject({
      kind: 'wake-ups',
      text: expect.stringContaining('about 8.00 ±'),
    });
    expect(asleep?.remedy).toStartWith('Run as root, without --no-keep-awake');
    expect(others).toEqual([]);
  });

  test('not below 5 % of the cost, nor within its interval, nor by a price nobody measured', () => {
    expect(sleeping(0, 0.02)).toEqual([]);
    expect(kinds(sleeping(0, 0.04))).toEqual(['wake-ups']);
    const noisy = sleeping(0, 0.5, ({ pairs }) => {
      for (const [index, { duets }] of pairs.entries())
        for (const { scenario } of duets)
          scenario.cpuNs = Number(scenario.cpuNs) * (1 + 0.3 * (index % 4 < 2 ? 0 : 1));
    });
    expect(kinds(noisy)).not.toContain('wake-ups');
    expect(sleeping(0, 1, (result) => Object.assign(result.environment, { wakeUp: null }))).toEqual(
      [],
    );
  });

  test('not if it sleeps beside both, if nothing was counted, or if the row has no figures', () => {
    expect(sleeping(0.985, 1)).toEqual([]);
    const failed = sleeping(0, 1, ({ pairs }) => {
      for (const { faults, scenario } of pairs) if (scenario === 'other') faults.push(fakeFault());
    });
    expect(kinds(failed)).toEqual(['invalid']);
    const uncounted = sleeping(0, 1, ({ pairs }) => {
      for (const { duets } of pairs) Object.assign(duets[0]?.scenario ?? {}, { toolSleeps: null });
    });
    expect(uncounted).toEqual([]);
  });
});

describe('unproven', () => {
  const text = 'Nobody knows whether Other recorded all: nothing proves it';
  const uncounted =
    'Nobody knows whether Other recorded all under load: spans could not be counted';

  test('nothing shows what a row recorded, if instrumentation is compared', () => {
    expect(changed((result) => result.proofs.pop())).toMatchObject([{ kind: 'unproven', text }]);
    const noInstrumentation = changed((result) => {
      result.proofs = [];
      result.suite.isInstrumentation = false;
    });
    expect(noInstrumentation).toEqual([]);
  });

  test('an older revision is a server like the newer one', () => {
    const ofNew = changed((result) => {
      asRevisions(result);
      result.proofs = result.proofs.filter(({ scenario }) => scenario === 'other.new');
    });
    expect(texts(ofNew)).toEqual(['Nobody knows whether Base recorded all: nothing proves it']);
  });

  test('spans that no sink counts, or of which nobody knows how many there should be', () => {
    const traced = (exported: ReturnType<typeof fakeExported> | null) =>
      changed(({ proofs, pairs }) => {
        for (const proof of proofs) if (proof.scenario === 'other') proof.spans = 200;
        for (const pair of pairs) if (pair.scenario === 'other') pair.exported.scenario = exported;
      });
    expect(traced(fakeExported(1_000, 1_000))).toEqual([]);
    expect(texts(traced(null))).toEqual([uncounted]);
    expect(texts(traced(fakeExported(null, 1_000)))).toEqual([uncounted]);
  });

  test('spans that --export none drops, which are proved with an exporter', () => {
    const dropped = (asked: 'none' | 'otlp') =>
      changed(({ proofs, suite, configuration }) => {
        for (const proof of proofs) if (proof.scenario === 'other') proof.spans = 200;
        for (const each of suite.scenarios) each.export = 'none';
        configuration.export = asked;
      });
    expect(texts(dropped('none'))).toEqual([uncounted]);
  });
});
