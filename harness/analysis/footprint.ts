import { mean } from 'simple-statistics';
import type { Pair, Result, Side } from '../result/schema.ts';
import { estimate } from './estimate.ts';

/** What a server takes beside its work. Each field is null if it was not measured. */
export type Footprint = NonNullable<ReturnType<typeof footprintOf>>;

/**
 * By the valid pairs of a scenario and its starts; on the side of the baseline by all of the task, and without changes.
 * Null if the suite does not ask for it. Intervals of memory hold together with those of so many rows.
 */
export function footprintOf(result: Result, task: string, scenario: string, side: Side, pairs: Pair[], rows: number) {
  const isOwn = (each: { task: string; scenario: string }) =>
    each.task === task && (side === 'baseline' || each.scenario === scenario);
  const inTask = result.startUps.filter((each) => each.task === task);
  const idles = result.idles.filter(isOwn);
  const { installedBytes = null } = result.suite.scenarios.find(({ name }) => name === scenario) ?? {};
  if (inTask.length + idles.length === 0 && installedBytes === null) return null;
  const memory = pairs.flatMap(({ usage: { baseline, scenario } }) => {
    const [before, after] = [baseline.memoryBytes?.mean, scenario.memoryBytes?.mean];
    return before && after ? [{ baseline: before, scenario: after }] : [];
  });
  const startUps = inTask
    .filter(isOwn)
    .flatMap(({ ms }) => ms.scenario.map((ms1, at) => ({ scenario: ms1, baseline: ms.baseline[at] ?? ms1 })));
  const hasChange = side === 'scenario';
  const change = ({ baseline, scenario }: Record<Side, number>) => scenario - baseline;
  return {
    /** Of all processes under load, and scenario minus baseline. */
    memoryBytes: memory.length > 0 ? mean(memory.map((bytes) => bytes[side])) : null,
    memoryChangeBytes: hasChange && memory.length > 0 ? estimate(memory.map(change), rows) : null,
    /** From the start of the process to its first answer. */
    startUpMs: startUps.length > 0 ? mean(startUps.map((ms) => ms[side])) : null,
    startUpChangeMs: hasChange && startUps.length > 0 ? estimate(startUps.map(change), inTask.length) : null,
    installedBytes,
    /** CPU time in a second without requests. */
    standingMsPerSecond: idles.length > 0 ? mean(idles.map(({ cpuMsPerSecond }) => cpuMsPerSecond[side])) : null,
  };
}
