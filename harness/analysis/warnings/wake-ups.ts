import type { Environment } from '../../result/schema.ts';
import { decimalsOf } from '../../words/units.ts';
import { keepAwakeRemedy } from '../idle-cores.ts';
import { halfWidth } from '../interval.ts';
import { type Estimate, meanEstimate } from '../mean-estimate.ts';
import type { MeasuredRun, Row } from '../rows.ts';
import { wokenShare } from '../slice-totals.ts';
import { cpuSlicesOf } from '../slices.ts';
import { type Finding, finding, validRows } from './finding.ts';

/** Less than this part of what a row costs changes nobody's mind. */
const MIN_CHANGE = 0.05;

type Price = NonNullable<Environment['wakeUp']>['plain'];

/**
 * Rows whose server woke the load tool more often than the baseline did, and paid for that: it is
 * no cost of the scenario. A tool that never sleeps beside the baseline does sleep beside any
 * slower server. The price of a wake-up is the one that was measured on this machine, with cores
 * kept awake if that can be; without one, nobody knows.
 */
export function findWakeUps({ tasks, header }: MeasuredRun): Finding[] {
  const { wakeUp } = header.environment;
  const price = wakeUp?.held ?? wakeUp?.plain;
  if (!price) return [];
  return tasks.flatMap((task) => {
    const remedy = keepAwakeRemedy(header) ?? otherRemedy(task.rate);
    return validRows([task]).flatMap((row) => wakeUpsOf(row, price, remedy) ?? []);
  });
}

function wakeUpsOf(row: Row, price: Price, remedy: string): Finding | null {
  const cost = row.change.cpuUs;
  if (!cost) return null;
  const more = moreWakeUps(row);
  const tooHighUs = more.value * price.us;
  const isMuch = tooHighUs > MIN_CHANGE * Math.abs(cost.value) && tooHighUs > halfWidth(cost);
  if (!isMuch) return null;
  const errorUs = Math.hypot(halfWidth(more) * price.us, 2 * price.standardErrorUs * more.value);
  const decimals = decimalsOf(errorUs);
  const excess = `${tooHighUs.toFixed(decimals)} ±${errorUs.toFixed(decimals)} µs`;
  const seen = `reads about ${excess} too high: more of its answers wake the load tool`;
  return finding(`${row.label}: CPU per request ${seen}`, remedy, row);
}

/** By how much the share of answers that wake the load tool is larger than beside the baseline. */
function moreWakeUps({ pairs }: Row): Estimate {
  const differences = pairs.map((pair) => {
    const slices = cpuSlicesOf(pair);
    return wokenShare(slices, 'scenario') - wokenShare(slices, 'baseline');
  });
  return meanEstimate(differences);
}

function otherRemedy(rate: number | null): string {
  return rate === null
    ? 'Measure at a steady rate (--rate): the baseline wakes it then, too'
    : 'Measure on a machine that is not virtual, where it costs less to wake a core';
}
