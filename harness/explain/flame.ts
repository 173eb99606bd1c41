import { mean } from 'simple-statistics';
import { holdsZero, type Interval } from '../analysis/estimate.ts';
import type { Both } from '../measure/bench.ts';
import { type Call, keyOf, type PerPair, plus } from './calls.ts';
import { changeOf, type Explanation } from './explanation.ts';

/** A frame of both graphs: one draws the scenario's times, the other the baseline's. */
export interface Flame {
  name: string;
  owner: string;
  us: Both<number>;
  /**
   * How the function's time, with what it calls and wherever it is called from, changed, as a part of the larger of the two;
   * 0 if its interval holds zero. Not the change of this stack: with a wrapper around all, every stack would be a new one.
   */
  change: number;
  children: Flame[];
}

/** Frames with less of a request than this could not be seen. */
const LEAST_SHARE = 0.001;

/** The explanation as a tree whose frames sum to what was measured. */
export function flameOf({ measured, calls, outside }: Explanation): Flame {
  const totals = new Map<Call, PerPair>();
  const functions = new Map<string, PerPair>();
  const add = (call: Call, callers: string[]): PerPair => {
    const key = keyOf(call.frame);
    const us = call.calls.map((each) => add(each, [...callers, key])).reduce(plus, call.selfUs);
    totals.set(call, us);
    // A function that calls itself has the time already.
    if (!callers.includes(key)) functions.set(key, plus(us, functions.get(key)));
    return us;
  };
  add(calls, []);
  const flame = (call: Call): Flame => {
    const total = totals.get(call) as PerPair;
    const us = { baseline: mean(total.baseline), scenario: mean(total.scenario) };
    const children = call.calls.map(flame).filter((each) => larger(each.us) >= LEAST_SHARE * measured.us.scenario);
    const ofFunction = functions.get(keyOf(call.frame)) as PerPair;
    const change = relative(changeOf(ofFunction), Math.max(mean(ofFunction.baseline), mean(ofFunction.scenario)));
    return { name: call.frame.functionName || '(anonymous)', owner: call.owner, us, change, children };
  };
  const others = outside.map(({ where, us, change }): Flame => {
    const drawn = { baseline: Math.max(0, us.baseline), scenario: Math.max(0, us.scenario) };
    return { name: where, owner: 'outside JavaScript', us: drawn, change: relative(change, larger(us)), children: [] };
  });
  const root = { name: 'CPU per request', owner: 'all', us: measured.us, change: 0 };
  return { ...root, children: [...flame(calls).children, ...others] };
}

function larger({ baseline, scenario }: Both<number>): number {
  return Math.max(baseline, scenario);
}

function relative(change: Interval, of: number): number {
  return holdsZero(change) ? 0 : change.value / of;
}
