// Analyses of fake results, after a change that a test makes: its warnings, several tasks, and
// texts that are hostile.
import { analyse, type Run } from '../analysis/analysis.ts';
import type { Warning } from '../analysis/warnings/list.ts';
import type { Pair, Result } from '../result/schema.ts';
import { cleanPairs, fakeResult, fakeTask } from './fakes.ts';

/** The analysis of a fake run, after `change` had its way with the run. */
export function fakeAnalysis(change = (_: Result) => {}, pairs: Pair[] = cleanPairs()): Run {
  const result = fakeResult(pairs);
  change(result);
  return analyse(result);
}

/** The warnings of a run with nothing wrong, but for what `change` does to it. */
export function warningsAfter(change: (result: Result) => void): Warning[] {
  return fakeAnalysis(change).warnings;
}

/** The same, for what `change` does to each pair of `other`, by its place in its row. */
export function warningsOfPairs(change: (pair: Pair, index: number) => void): Warning[] {
  return warningsAfter(({ pairs }) => {
    pairs.filter(({ scenario }) => scenario === 'other').forEach(change);
  });
}

export function kindsOf(warnings: Warning[]): Warning['kind'][] {
  return warnings.map(({ kind }) => kind);
}

export function textsOf(warnings: Warning[]): string[] {
  return warnings.map(({ text }) => text);
}

/** The same pairs for each of these tasks. */
export function severalTasks(...names: string[]): (result: Result) => void {
  return (result) => {
    const { pairs } = result;
    result.suite.tasks = names.map((name) => fakeTask(name));
    result.pairs = names.flatMap((task) => pairs.map((pair) => ({ ...pair, task })));
  };
}

export const HOSTILE =
  '<script>alert(1)</script> | `x` ](http://evil) **b**\r\n# h \u001b[31m\u009b2J\u202e <!-- /bench --> "=1+1';

/** A run in which every text that a file can hold is hostile. */
export function makeHostile(result: Result): void {
  const { suite, environment, tool } = result;
  const reason = { what: HOSTILE, detail: HOSTILE, scenario: HOSTILE, slice: null, count: 1 };
  for (const scenario of suite.scenarios) {
    scenario.title = HOSTILE;
    scenario.runtime = { name: HOSTILE, version: HOSTILE };
    scenario.packages = { [HOSTILE]: HOSTILE };
  }
  for (const task of suite.tasks) {
    task.title = HOSTILE;
    task.command = [HOSTILE, '`'];
  }
  for (const proof of result.proofs) proof.notes = [HOSTILE];
  result.pairs.at(-1)?.faults.push({ kind: 'other', ...reason });
  suite.title = HOSTILE;
  suite.remarks = [HOSTILE];
  suite.skipped = [
    { scenario: HOSTILE, fault: reason, tasks: suite.tasks.map(({ name }) => name) },
  ];
  tool.version = HOSTILE;
  environment.cpu = HOSTILE;
  environment.kernel = HOSTILE;
  environment.frequencyGovernor = HOSTILE;
  result.stoppedBy = HOSTILE;
  result.keepAwake = { missing: HOSTILE };
}
