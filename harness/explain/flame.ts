import { holdsZero, type Interval } from '../analysis/estimate.ts';
import type { Both } from '../measure/bench.ts';
import { type Call, keyOf, means, type PerPair, plus } from './calls.ts';
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
export function flameOf({ measured, calls, parts }: Explanation): Flame {
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
  const rest = parts.at(-1);
  const flame = (call: Call): Flame => {
    const us = means(totals.get(call) as PerPair);
    const children = call.calls.map(flame).filter((each) => larger(each.us) >= LEAST_SHARE * measured.us.scenario);
    const ofFunction = functions.get(keyOf(call.frame)) as PerPair;
    const { frame, owner } = call;
    // What is left has an error that its pairs don't tell.
    const change = owner === rest?.where ? rest.change : changeOf(ofFunction);
    return {
      name: frame.functionName || '(anonymous)',
      owner,
      us,
      change: relative(change, means(ofFunction)),
      children,
    };
  };
  return { ...flame(calls), name: 'CPU per request', owner: 'all', change: 0 };
}

function larger({ baseline, scenario }: Both<number>): number {
  return Math.max(baseline, scenario);
}

function relative(change: Interval, us: Both<number>): number {
  return holdsZero(change) ? 0 : change.value / larger(us);
}
