import { mean, median } from 'simple-statistics';
import type { Pair, Result, Side } from '../result/schema.ts';
import { estimate, medianEstimate } from './estimate.ts';
import { isValid, pairsOf } from './pairs.ts';

export type Footprint = NonNullable<ReturnType<typeof footprintOf>>;

/**
 * What the servers of a scenario take beside their work, by these pairs and its starts; on the side of the baseline by all
 * starts of the task, and no changes. Null if the suite does not ask for it; so is each field that was not measured.
 */
export function footprintOf(result: Result, task: string, scenario: string, side: Side, pairs: Pair[]) {
  const starts = result.startUps.filter((each) => each.task === task);
  const { installedBytes = null } = result.suite.scenarios.find(({ name }) => name === scenario) ?? {};
  if (starts.length === 0 && installedBytes === null) return null;
  const memory = pairs.flatMap(({ usage: { baseline, scenario } }) => {
    return baseline && scenario ? { baseline: baseline.rssBytes.mean, scenario: scenario.rssBytes.mean } : [];
  });
  const startUps = starts
    .filter((each) => side === 'baseline' || each.scenario === scenario)
    .flatMap(({ ms }) => ms.scenario.map((ms1, at) => ({ scenario: ms1, baseline: ms.baseline[at] ?? ms1 })));
  const hasChange = side === 'scenario';
  const change = ({ baseline, scenario }: Record<Side, number>) => scenario - baseline;
  const ofRows = [...Map.groupBy(pairsOf(result, task), (pair) => pair.scenario).values()];
  const rows = ofRows.filter((row) => row.every(isValid)).length;
  return {
    /** Resident memory under load, and scenario minus baseline. */
    rssBytes: memory.length > 0 ? mean(memory.map((bytes) => bytes[side])) : null,
    rssChangeBytes: hasChange && memory.length > 0 ? estimate(memory.map(change), rows) : null,
    /** From the start of the process to its first answer: medians. */
    startUpMs: startUps.length > 0 ? median(startUps.map((ms) => ms[side])) : null,
    startUpChangeMs: hasChange && startUps.length > 0 ? medianEstimate(startUps.map(change), starts.length) : null,
    installedBytes,
  };
}
