import { holdsZero } from '../analysis/estimate.ts';
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

/** The explanation as a tree whose frames sum to what was measured. */
export function flameOf({ calls, parts }: Explanation): Flame {
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
  const changeIn = ({ frame, owner }: Call): number => {
    const ofFunction = functions.get(keyOf(frame)) as PerPair;
    // What is left has an error that its pairs don't tell.
    const change = owner === rest?.where ? rest.change : changeOf(ofFunction);
    return holdsZero(change) ? 0 : change.value / Math.max(...Object.values(means(ofFunction)));
  };
  const drawn = (call: Call): Flame => ({
    name: call.frame.functionName || '(anonymous)',
    owner: call.owner,
    us: means(totals.get(call) as PerPair),
    change: changeIn(call),
    children: call.calls.map(drawn),
  });
  return { ...drawn(calls), name: 'CPU per request', owner: 'all', change: 0 };
}
