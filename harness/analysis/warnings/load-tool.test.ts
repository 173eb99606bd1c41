import { describe, expect, test } from 'bun:test';
import type { Loaded, Pair, Result, Side } from '../../result/schema.ts';
import { textsOf, warningsAfter } from '../../testing/fake-analysis.ts';

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

describe('load-tool', () => {
  const busy = (server: number, tool: number, change = (_: Result) => {}) =>
    warningsAfter((result) => {
      for (const pair of result.pairs)
        for (const side of ['baseline', 'scenario'] as const) setBusy(pair, side, server, tool);
      change(result);
    });

  test('is the limit of all rows in one, of which latency alone suffers', () => {
    const seen =
      "the load tool was full, and the server's core was only 80 % busy for Base and Other";
    const text = `Latency understates the cost: ${seen}`;
    const found = { kind: 'load-tool', scenario: null, text };
    expect(busy(0.8, 0.97)).toMatchObject([found]);
  });

  test('neither server nor load tool had enough to do, by all its cores', () => {
    const waiting =
      'Latency is waiting, not work: ' + "the server's core was only 30 % busy for Base and Other";
    expect(textsOf(busy(0.3, 0.4))).toEqual([waiting]);
    const cores = busy(0.3, 0.97, ({ pinning }) =>
      Object.assign(pinning, { toolCores: '1-2', toolCoreCount: 2 }),
    );
    expect(textsOf(cores)).toEqual([waiting]);
  });

  test('a delayed acknowledgement is named, of which more connections are no remedy', () => {
    const answeringAfter = (medianUs: number, share: number, change = (_: Result) => {}) =>
      warningsAfter((result) => {
        for (const pair of result.pairs) {
          if (pair.scenario !== 'other') continue;
          setBusy(pair, 'scenario', share, 0.1);
          for (const { scenario } of pair.alternating)
            if (scenario.latencyUs) scenario.latencyUs.p50 = medianUs;
        }
        change(result);
      });
    const found = {
      kind: 'load-tool',
      text:
        'Latency is waiting for a delayed acknowledgement, not work: ' +
        'Other took 44.1 ms, and its core was only 3 % busy',
    };
    const [warning, ...others] = answeringAfter(44_100, 0.03);
    expect(warning).toMatchObject(found);
    expect(warning?.remedy).toContain('TCP_NODELAY');
    expect(others).toEqual([]);
    const atRate = (result: Result) => {
      for (const task of result.suite.tasks) task.rate = 1_000;
    };
    expect(answeringAfter(44_100, 0.03, atRate)).toMatchObject([found]);
    for (const [medianUs, share] of [
      [30_000, 0.03],
      [60_000, 0.03],
      [44_100, 0.7],
    ] as const)
      expect(textsOf(answeringAfter(medianUs, share))[0]).toContain('is waiting, not work');
  });

  test('nobody sees how busy a load tool elsewhere was', () => {
    const [text] = textsOf(busy(0.3, 0.97, ({ tool }) => Object.assign(tool, { host: 'far' })));
    expect(text).toStartWith('Latency may be waiting: ');
  });
});
