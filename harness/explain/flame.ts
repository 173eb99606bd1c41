import { mean } from 'simple-statistics';
import { estimate, holdsZero } from '../analysis/estimate.ts';
import type { Interval } from '../analysis/model.ts';
import type { Side } from '../result/schema.ts';
import { type Call, keyOf, type PerPair, plus } from './calls.ts';
import type { Explanation, Part } from './explanation.ts';

/** A frame of both graphs: one draws the scenario's times and the other the baseline's. */
export interface Flame extends Record<Side, number> {
  name: string;
  owner: string;
  /**
   * How the function's time, with what it calls and wherever it is called from, changed, as a part of the larger of the two;
   * 0 if its interval holds zero. Not of this stack alone: a wrapper around all would make every stack a new one.
   */
  change: number;
  children: Flame[];
}

/** Frames with less of a request than this have no place to be seen. */
const LEAST_SHARE = 0.001;

/** The explanation as a tree whose frames sum to what was measured. */
export function flameOf({ measured, calls, outside }: Explanation): Flame {
  const functions = functionTimes(calls);
  const least = LEAST_SHARE * measured.scenarioUs;
  const flame = (call: Call): Flame => {
    const us = functions.totals.get(call) as PerPair;
    const children = call.calls.map(flame).filter(({ baseline, scenario }) => Math.max(baseline, scenario) >= least);
    const change = changeOf(functions.byKey.get(keyOf(call.frame)) ?? us);
    const sides = { baseline: mean(us.baseline), scenario: mean(us.scenario) };
    return { name: call.frame.name, owner: call.owner, ...sides, change, children };
  };
  const { baselineUs, scenarioUs } = measured;
  const root = { name: 'CPU per request', owner: 'all', baseline: baselineUs, scenario: scenarioUs, change: 0 };
  return { ...root, children: [...flame(calls).children, ...outside.map(outsideFlame)] };
}

function outsideFlame({ where, baselineUs, scenarioUs, change }: Part): Flame {
  const sides = { baseline: Math.max(0, baselineUs), scenario: Math.max(0, scenarioUs) };
  return { name: where, owner: 'outside JavaScript', ...sides, change: relative(change, sides), children: [] };
}

/** The time of each call with all that it calls, and of each function over all of its calls. */
function functionTimes(root: Call) {
  const totals = new Map<Call, PerPair>();
  const byKey = new Map<string, PerPair>();
  const visit = (call: Call, callers: Set<string>): PerPair => {
    const key = keyOf(call.frame);
    const within = new Set([...callers, key]);
    const us = call.calls.map((each) => visit(each, within)).reduce(plus, call.selfUs);
    totals.set(call, us);
    // A function that calls itself has the time already.
    if (!callers.has(key)) byKey.set(key, plus(us, byKey.get(key)));
    return us;
  };
  visit(root, new Set());
  return { totals, byKey };
}

function changeOf({ baseline, scenario }: PerPair): number {
  const change = estimate(scenario.map((us, pair) => us - (baseline[pair] ?? 0)));
  return relative(change, { baseline: mean(baseline), scenario: mean(scenario) });
}

function relative(change: Interval, { baseline, scenario }: Record<Side, number>): number {
  return holdsZero(change) ? 0 : change.value / Math.max(baseline, scenario);
}
