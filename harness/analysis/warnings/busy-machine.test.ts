import { expect, test } from 'bun:test';
import { textsOf, warningsAfter } from '../../testing/fake-analysis.ts';

test('busy-machine: more than a tenth of the core, in more than one slice of twenty', () => {
  const taking = (share: number, of: 'busyNs' | 'stealNs', pairCount: number) =>
    warningsAfter(({ pairs }) => {
      for (const { alternating } of pairs.slice(0, pairCount))
        for (const { cores } of alternating.slice(0, 1))
          if (cores.baseline) cores.baseline.server[of] += share * 1e9;
    });
  // One of the 7 readings of a pair: of ten pairs, three have 4 % of all, and four have 6 %.
  expect(taking(0.2, 'busyNs', 3)).toEqual([]);
  expect(taking(0.09, 'busyNs', 10)).toEqual([]);
  // What a load tool failed to load tells nothing.
  const failed = warningsAfter(({ pairs }) => {
    for (const { baseline, cores } of pairs.flatMap(({ alternating }) => alternating)) {
      baseline.seconds = 0;
      if (cores.baseline) cores.baseline.server.busyNs += 2e8;
    }
  });
  expect(failed.map(({ kind }) => kind)).not.toContain('busy-machine');
  const off = 'Figures may be off by more than their intervals say: in 5.7 % of the slices';
  expect(textsOf(taking(0.2, 'busyNs', 4))).toEqual([
    `${off} other processes took more than a tenth of the server's core`,
  ]);
  expect(textsOf(taking(0.2, 'stealNs', 4))).toEqual([
    `${off} the hypervisor took more than a tenth of the server's core`,
  ]);
});
