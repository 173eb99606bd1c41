import { expect, test } from 'bun:test';
import type { Result } from '../../result/schema.ts';
import { kindsOf, warningsAfter } from '../../testing/fake-analysis.ts';

/** The quota of 0.6 of a core stops each pair in so many of 40 periods, each for so many ms. */
function stop(result: Result, stoppedPeriods: number, stopMs: number): void {
  for (const pair of result.pairs) {
    const stoppedNs = stoppedPeriods * stopMs * 1e6;
    pair.container = {
      cpu: { quotaCores: 0.6, periods: 40, stoppedPeriods, stoppedNs },
      memory: null,
    };
  }
}

/** Servers wait for nothing that could be seen. */
function idle(result: Result): void {
  for (const { alternating } of result.pairs)
    for (const { baseline, scenario } of alternating)
      for (const loaded of [baseline, scenario]) loaded.cpuNs = (loaded.cpuNs ?? 0) / 2;
}

test('cpu-quota: a container that is stopped, with its quota, in place of advice that is no help', () => {
  const idleAlone = kindsOf(warningsAfter(idle));
  expect(idleAlone).toContain('load-tool');
  const stopped = warningsAfter((result) => {
    idle(result);
    stop(result, 30, 40);
  });
  expect(kindsOf(stopped)).not.toContain('load-tool');
  expect(stopped.find(({ kind }) => kind === 'cpu-quota')).toMatchObject({
    text:
      'Latency is waiting, not work: its container may use 0.6 of 2 cores, ' +
      'and was stopped in 300 of 400 periods',
    remedy:
      'Let the container use 2 cores or more (docker run --cpus, or limits.cpu), ' +
      'or go by CPU per request',
    scenario: null,
  });
});

test.each([
  ['without a stop', 0, 0],
  ['for a moment at the end of its periods', 30, 0.1],
  ['in few periods', 1, 60],
])('cpu-quota: a quota that stops nothing for long is not warned of: %s', (_, periods, stopMs) => {
  expect(warningsAfter((result) => stop(result, periods, stopMs))).toEqual([]);
});
