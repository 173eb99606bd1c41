/**
 * How often `compare --git` finds what is there, by draws from a long comparison of a commit with
 * itself: pairs of it are drawn 2,000 times, one after the other, until the rule says that they are
 * enough. So one run of 24 pairs stands for thousands of comparisons of the hour in which it was
 * made. Where the second server is to be slower, its CPU time is raised: a server that is slower on
 * purpose also pays for timing itself.
 *
 *     bun benchmarks/power.ts FILE
 *
 * FILE is what `compare --git REVISION --allow-same --scenarios NAME --pairs 24 --out FILE` wrote.
 */
import { markdownTable } from 'markdown-table';
import { mean, median } from 'simple-statistics';
import { limitText } from '../harness/analysis/aims.ts';
import { analyse, type Run } from '../harness/analysis/analysis.ts';
import type { CostChange } from '../harness/analysis/compare.ts';
import { verdictOf } from '../harness/analysis/gate.ts';
import { halfWidth, holdsZero } from '../harness/analysis/interval.ts';
import { precisionsOf } from '../harness/analysis/precision.ts';
import { judgedCostsOf } from '../harness/analysis/row-costs.ts';
import { readResult } from '../harness/result/file.ts';
import type { Configuration, Limit, Pair, Result } from '../harness/result/schema.ts';
import { REVISIONS_RULE } from '../harness/settle/pairs-rule.ts';
import { randomOf, shareOfTrue } from './coverage/simulation.ts';

const DRAWS = 2_000;
const RAISED_BY_PERCENT = [0, 2, 4];
const GATES: (Limit | null)[] = [null, { value: 2, unit: '%' }];

/** What one drawn comparison came to. */
interface Drawn {
  pairs: number;
  cost: CostChange;
  /** Whether the gate failed, and whether it could not tell. */
  isStopped: boolean;
  isUndecided: boolean;
}

const [file = ''] = process.argv.slice(2);
const measured = readResult(file);
const rows = measured.suite.tasks.flatMap(({ scenarios }) => scenarios);
if (rows.length !== 1)
  throw new Error(`${file} has ${rows.length} rows: choose one by --scenarios`);
const random = randomOf(2026);

console.log(
  markdownTable([
    [
      'Raised by',
      '--fail-above',
      'Change (medians)',
      'Called different',
      'Stopped',
      'Undecided',
      'Pairs',
    ],
    ...RAISED_BY_PERCENT.flatMap((percent) => GATES.map((gate) => lineOf(percent, gate))),
  ]),
);

function lineOf(raisedByPercent: number, gate: Limit | null): string[] {
  const result = byRule(raised(measured, raisedByPercent), gate);
  const drawn = Array.from({ length: DRAWS }, () => drawComparison(result, gate));
  const shares = drawn.map(({ cost }) => cost.changeUs.value / cost.oldUs);
  const widths = drawn.map(({ cost }) => halfWidth(cost.changeUs) / cost.oldUs);
  const isDifferent = drawn.map(({ cost }) => !holdsZero(cost.changeUs));
  return [
    `${raisedByPercent} %`,
    gate ? limitText(gate, 'cpuUs') : '',
    `${percentOf(median(shares), 2)} ±${percentOf(median(widths), 2)}`,
    percentOf(shareOfTrue(isDifferent), 1),
    gate ? percentOf(shareOfTrue(drawn.map(({ isStopped }) => isStopped)), 1) : '',
    gate ? percentOf(shareOfTrue(drawn.map(({ isUndecided }) => isUndecided)), 1) : '',
    mean(drawn.map(({ pairs }) => pairs)).toFixed(1),
  ];
}

/** Returns the result as if the second server had taken so much more CPU time in each slice. */
function raised(result: Result, percent: number): Result {
  const pairs = result.pairs.map((pair) => ({
    ...pair,
    duets: pair.duets.map(({ scenario, ...slice }) => ({
      ...slice,
      scenario: { ...scenario, cpuNs: (scenario.cpuNs ?? Number.NaN) * (1 + percent / 100) },
    })),
  }));
  return { ...result, pairs };
}

/** Returns the result as if the rule had decided its number of pairs. */
function byRule(result: Result, gate: Limit | null): Result {
  const { pairs, mostPairs, within } = REVISIONS_RULE;
  const asked: Partial<Configuration> = gate
    ? { within: null, limits: { cpu: gate, p99Us: null } }
    : { within, limits: null };
  return {
    ...result,
    configuration: { ...result.configuration, pairs, mostPairs, ...asked },
  };
}

/** Draws pairs without replacement until the rule wants no more. */
function drawComparison(result: Result, gate: Limit | null): Drawn {
  const undrawn = [...result.pairs];
  const pairs: Pair[] = [];
  for (;;) {
    const at = Math.floor(random() * undrawn.length);
    pairs.push(...undrawn.splice(at, 1));
    if (pairs.length < REVISIONS_RULE.pairs && undrawn.length > 0) continue;
    const run = analyse({ ...result, pairs });
    const isDone = precisionsOf(run).every(({ morePairs }) => morePairs === 0);
    if (isDone || undrawn.length === 0) return drawnOf(run, pairs.length, gate);
  }
}

function drawnOf(run: Run, pairs: number, gate: Limit | null): Drawn {
  const [compared] = judgedCostsOf(run);
  if (!compared?.cost) throw new Error(`not compared: ${compared?.missing}`);
  const verdict = gate && verdictOf(compared, gate);
  return {
    pairs,
    cost: compared.cost,
    isStopped: verdict?.kind === 'exceeds',
    isUndecided: verdict?.kind === 'undecided',
  };
}

function percentOf(share: number, decimals: number): string {
  return `${(100 * share).toFixed(decimals)} %`;
}
