/**
 * How often `compare --git` finds what is there, by draws from long comparisons: pairs of them are
 * drawn 2,000 times, one after the other, until the rule says that they are enough. So one run of
 * 24 pairs stands for thousands of comparisons of the hour in which it was made.
 *
 *     bun benchmarks/power-drawn.ts [--raised-by 2%] [--fail-above 2%] FILE...
 *
 * A FILE is what `compare --git REVISION --pairs 24 --out FILE` wrote. `--raised-by` raises the CPU
 * time of the second server by so much: one that is slower on purpose also pays for timing itself.
 */
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable } from 'markdown-table';
import { mean, median } from 'simple-statistics';
import { limitText } from '../harness/analysis/aims.ts';
import { analyse, type Run } from '../harness/analysis/analysis.ts';
import { type CostChange, costsOf } from '../harness/analysis/compare.ts';
import { verdictOf } from '../harness/analysis/gate.ts';
import { halfWidth, holdsZero } from '../harness/analysis/interval.ts';
import { precisionsOf } from '../harness/analysis/precision.ts';
import { parseLimit } from '../harness/command-line/parsers.ts';
import { readResult } from '../harness/result/file.ts';
import type { Configuration, Pair, Result } from '../harness/result/schema.ts';
import { REVISIONS_RULE } from '../harness/settle/pairs-rule.ts';
import { type Random, randomOf, shareOf } from './coverage/tables.ts';

const DRAWS = 2_000;

/** What one drawn comparison came to. */
interface Drawn {
  pairs: number;
  cost: CostChange;
  /** Whether the gate failed, and whether it could not tell. */
  isStopped: boolean;
  isUndecided: boolean;
}

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    'fail-above': { type: 'string' },
    'raised-by': { type: 'string', default: '0%' },
  },
});
const failAbove = options['fail-above'] === undefined ? null : parseLimit(options['fail-above']);
const { value: raisedBy, unit: raisedByUnit } = parseLimit(options['raised-by']);
if (raisedByUnit !== '%') throw new Error('--raised-by is a share, such as 2%');
const random = randomOf(2026);

const headings = [
  'Comparison',
  'Change (medians)',
  'Called different',
  ...(failAbove ? [`Stopped at ${limitText(failAbove, 'cpuUs')}`, 'Undecided'] : []),
  'Pairs',
];
console.log(markdownTable([headings, ...files.map(lineOf)]));

function lineOf(file: string): string[] {
  const result = byRule(raised(readResult(file)));
  const drawn = Array.from({ length: DRAWS }, () => drawComparison(result, random));
  const shares = drawn.map(({ cost }) => cost.changeUs.value / cost.oldUs);
  const widths = drawn.map(({ cost }) => halfWidth(cost.changeUs) / cost.oldUs);
  const isDifferent = drawn.map(({ cost }) => !holdsZero(cost.changeUs));
  const gate = [
    percent(shareOf(drawn.map(({ isStopped }) => isStopped))),
    percent(shareOf(drawn.map(({ isUndecided }) => isUndecided))),
  ];
  return [
    `${basename(file)}, ${result.pairs.length} pairs` +
      (raisedBy > 0 ? `, raised by ${raisedBy} %` : ''),
    `${percent(median(shares))} ±${percent(median(widths))}`,
    percent(shareOf(isDifferent)),
    ...(failAbove ? gate : []),
    mean(drawn.map(({ pairs }) => pairs)).toFixed(1),
  ];
}

/** Returns the result as if the second server had taken so much more CPU time in each slice. */
function raised(result: Result): Result {
  const pairs = result.pairs.map((pair) => ({
    ...pair,
    duets: pair.duets.map(({ scenario, ...slice }) => ({
      ...slice,
      scenario: { ...scenario, cpuNs: (scenario.cpuNs ?? Number.NaN) * (1 + raisedBy / 100) },
    })),
  }));
  return { ...result, pairs };
}

/** Returns the result as if the rule had decided its number of pairs. */
function byRule(result: Result): Result {
  const { pairs, mostPairs, within } = REVISIONS_RULE;
  const asked: Partial<Configuration> = failAbove
    ? { within: null, limits: { cpu: failAbove, p99Us: null } }
    : { within, limits: null };
  return {
    ...result,
    configuration: { ...result.configuration, pairs, mostPairs, ...asked },
  };
}

/** Draws pairs without replacement until the rule wants no more. */
function drawComparison(result: Result, random: Random): Drawn {
  const undrawn = [...result.pairs];
  const pairs: Pair[] = [];
  for (;;) {
    const at = Math.floor(random() * undrawn.length);
    pairs.push(...undrawn.splice(at, 1));
    if (pairs.length < REVISIONS_RULE.pairs && undrawn.length > 0) continue;
    const run = analyse({ ...result, pairs });
    const isDone = precisionsOf(run).every(({ morePairs }) => morePairs === 0);
    if (isDone || undrawn.length === 0) return drawnOf(run, pairs.length);
  }
}

function drawnOf(run: Run, pairs: number): Drawn {
  const [compared] = costsOf(run);
  if (!compared?.cost) throw new Error(`not compared: ${compared?.missing}`);
  const verdict = failAbove && verdictOf(compared, failAbove);
  return {
    pairs,
    cost: compared.cost,
    isStopped: verdict?.kind === 'exceeds',
    isUndecided: verdict?.kind === 'undecided',
  };
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}
