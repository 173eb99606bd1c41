/**
 * How often tracetax's intervals hold, with the speeds and errors of published results.
 *
 *     bun benchmarks/coverage.ts               simulated tables, and the rule of --within
 *     bun benchmarks/coverage.ts --quick       the same with a tenth of the tables
 *     bun benchmarks/coverage.ts --tasks       runs with five tasks of unlike slopes
 *     bun benchmarks/coverage.ts --rates       runs at several rates, with larger errors at low ones
 *     bun benchmarks/coverage.ts --ranking     whether signs hold that tell products apart
 *     bun benchmarks/coverage.ts --published   how wide intervals of published rows are
 *     bun benchmarks/coverage.ts --quantities  the same method for ms, p99, memory and start-up
 *     bun benchmarks/coverage.ts --long FILE   tables drawn from a run of many pairs, as truth
 */
import { parseArgs } from 'node:util';
import { markdownTable } from 'markdown-table';
import { mean, median, min } from 'simple-statistics';
import { withinText } from '../harness/analysis/aims.ts';
import { RULE_LEVEL } from '../harness/analysis/estimate.ts';
import { halfWidth, type Interval } from '../harness/analysis/interval.ts';
import { readResult } from '../harness/result/file.ts';
import {
  FULL_RULE,
  type PrecisionRule,
  QUICK_RULE,
  REVISIONS_RULE,
} from '../harness/settle/pairs-rule.ts';
import { coverageOfLongRun } from './coverage/long-run.ts';
import {
  isNotable,
  type Measure,
  type NoiseOfRun,
  noiseOf,
  normalTwin,
  type PublishedRow,
  publishedRows,
  readResults,
} from './coverage/published.ts';
import { rankingOf } from './coverage/ranking.ts';
import { coverageOfRates, type RateCase } from './coverage/rates.ts';
import { randomOf } from './coverage/simulation.ts';
import { type StoppingCase, stoppingOf } from './coverage/stopping.ts';
import { type Case, type Coverage, coverageOf } from './coverage/tables.ts';
import { coverageOfTasks } from './coverage/tasks.ts';

const SLOPES = [0.3, 1, 1.6];
const PAIRS = [3, 5, 10, 20];
const ROWS = [1, 3, 10, 30];
/** Of each result: pools of normal errors in the place of its own. */
const TWINS = 10;
/** Errors as published results of the suites `rates-node` and `rates-bun` have them, about. */
const RATE_CASES: RateCase[] = [
  { rate: null, errors: 1 },
  { rate: 5_000, errors: 1 },
  { rate: 1_000, errors: 2 },
  { rate: 100, errors: 3 },
];
/** Of a long run. */
const DRAWS = 2_000;
const MEASURES: Measure[] = ['cpuUs', 'latencyUs', 'p99Us', 'memoryBytes', 'startUpMs'];

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    published: { type: 'boolean', default: false },
    tasks: { type: 'boolean', default: false },
    rates: { type: 'boolean', default: false },
    ranking: { type: 'boolean', default: false },
    quantities: { type: 'boolean', default: false },
    long: { type: 'string' },
    tables: { type: 'string', default: '2000' },
  },
});
const tables = options.quick ? Number(options.tables) / 10 : Number(options.tables);
const random = randomOf(2026);
const results = readResults('results');

function rowsOfAll(measure: Measure): PublishedRow[] {
  return [...results.values()].flatMap((result) => publishedRows(result, measure));
}

function noisesOf(measure: Measure): NoiseOfRun[] {
  return [...results].flatMap(
    ([name, result]) => noiseOf(name, publishedRows(result, measure)) ?? [],
  );
}

/** One line for each size of a table and kind of spread, over all slopes and speeds. */
function coverageTable(noises: readonly NoiseOfRun[]): string {
  const twins = noises.flatMap((noise) =>
    Array.from({ length: TWINS }, () => normalTwin(noise, random)),
  );
  const headings = [
    'Rows',
    'Pairs',
    'Spreads',
    'Student: hold',
    'least',
    'Adjusted: hold',
    'least',
    'normal pools: hold',
    'noise row differs',
    'Student ±',
    'adjusted ±',
  ];
  const lines = ROWS.flatMap((rows) =>
    PAIRS.flatMap((pairs) =>
      [false, true].map((isUnequal) => {
        const cases = casesOf(rows, pairs, isUnequal);
        const found = cases.map((each) => coverageOf(each, noises, tables, random));
        const normal = cases.map((each) => coverageOf(each, twins, tables, random));
        return [`${rows}`, `${pairs}`, isUnequal ? 'unequal' : 'equal', ...cellsOf(found, normal)];
      }),
    ),
  );
  return markdownTable([headings, ...lines]);
}

function casesOf(rows: number, pairs: number, isUnequal: boolean): Case[] {
  return SLOPES.flatMap((slope) =>
    [false, true].map((isDrifting) => ({ rows, pairs, slope, isUnequal, isDrifting })),
  );
}

function cellsOf(found: Coverage[], normal: Coverage[]): string[] {
  const plain = found.map((each) => each.plain);
  const adjusted = found.map((each) => each.adjusted);
  return [
    percent(mean(plain)),
    percent(min(plain)),
    percent(mean(adjusted)),
    percent(min(adjusted)),
    percent(mean(normal.map((each) => each.adjusted))),
    percent(mean(found.map(({ falseAlarms }) => falseAlarms))),
    percent(median(found.map(({ plainWidth }) => plainWidth))),
    percent(median(found.map(({ adjustedWidth }) => adjustedWidth))),
  ];
}

/** Returns what a rule asks for, and how many pairs that may take. */
function askedBy(rule: PrecisionRule): Omit<StoppingCase, 'slope' | 'isUnequal' | 'level'> {
  const { within, pairs, mostPairs } = rule;
  return { within, leastPairs: pairs, mostPairs, isOfRevisions: rule === REVISIONS_RULE };
}

function stoppingTable(noises: readonly NoiseOfRun[]): string {
  const levels = [0.95, 0.97];
  const cases = [
    ...[FULL_RULE, QUICK_RULE].flatMap((rule) =>
      [false, true].flatMap((isUnequal) =>
        levels.map((level) => ({ ...askedBy(rule), isUnequal, level })),
      ),
    ),
    ...levels.map((level) => ({ ...askedBy(REVISIONS_RULE), isUnequal: false, level })),
  ];
  const lines = cases.map((each) => {
    const found = SLOPES.map((slope) => stoppingOf({ ...each, slope }, noises, tables / 2, random));
    return [
      withinText(each.within),
      each.isUnequal ? 'unequal' : 'equal',
      percent(each.level),
      percent(mean(found.map(({ coverage }) => coverage))),
      percent(min(found.map(({ coverage }) => coverage))),
      mean(found.map(({ pairsPerRow }) => pairsPerRow)).toFixed(1),
    ];
  });
  const headings = ['Within', 'Spreads', 'Computed at', 'Tables that hold', 'least', 'Pairs a row'];
  return markdownTable([headings, ...lines]);
}

function widthsOf(rows: readonly PublishedRow[], name: string): string[] {
  const notable = rows.filter((row) => isNotable(row) && row.plain.n > 1);
  if (notable.length === 0) return [name, '0', '', '', '', '', ''];
  const before = notable.map(({ plain }) => relativeWidth(plain));
  const after = notable.map(({ adjusted }) => relativeWidth(adjusted));
  const slopes = notable.map(({ slope }) => slope);
  return [
    name,
    `${notable.length}`,
    percent(median(before)),
    percent(median(after)),
    percent(shareAbove(before)),
    percent(shareAbove(after)),
    median(slopes).toFixed(2),
  ];
}

function relativeWidth(interval: Interval): number {
  return halfWidth(interval) / Math.abs(interval.value);
}

function shareAbove(widths: number[]): number {
  return widths.filter((width) => width > 0.2).length / widths.length;
}

function publishedTable(): string {
  const headings = ['', 'Rows', 'Student ±', 'adjusted ±', '> 20 %', '> 20 %', 'slope'];
  const each = [...results].map(([name, result]) => widthsOf(publishedRows(result, 'cpuUs'), name));
  const all = widthsOf(rowsOfAll('cpuUs'), '**all**');
  return markdownTable([headings, ...each.filter(([, count]) => count !== '0'), all]);
}

/** Tasks whose slopes differ, from not at all to twice as much as the analysis takes for likely. */
function tasksTable(noises: readonly NoiseOfRun[]): string {
  const headings = ['Slopes of tasks differ by', 'Pairs', 'Tables that hold', 'least'];
  const lines = [0, 0.2, 0.4].flatMap((slopeSpread) =>
    [3, 5, 10].map((pairs) => {
      const found = SLOPES.map((slope) =>
        coverageOfTasks({ pairs, slope, slopeSpread }, noises, tables, random),
      );
      return [`${slopeSpread}`, `${pairs}`, percent(mean(found)), percent(min(found))];
    }),
  );
  return markdownTable([headings, ...lines]);
}

/** Runs at several rates, analysed with one pool of errors, and with one for each rate. */
function ratesTable(noises: readonly NoiseOfRun[]): string {
  const headings = ['Rate', 'Errors', 'Pairs', 'One pool: hold', '±', 'A pool a rate: hold', '±'];
  const lines = [3, 5, 10].flatMap((pairs) =>
    coverageOfRates(RATE_CASES, pairs, noises, tables, random).map(
      ({ rate, errors, inOnePool, byRate }) => [
        rate === null ? 'full load' : `${rate}/s`,
        `x ${errors}`,
        `${pairs}`,
        percent(inOnePool.hold),
        percent(inOnePool.width),
        percent(byRate.hold),
        percent(byRate.width),
      ],
    ),
  );
  return markdownTable([headings, ...lines]);
}

/**
 * Products of which each takes so much more than the one before: with pairs to rank them, and
 * without.
 */
function rankingTable(noises: readonly NoiseOfRun[]): string {
  const headings = [
    'Each takes more by',
    'Pairs until',
    'Tables whose signs hold',
    'least',
    'Tables that hold',
    'least',
    'Neighbours with ?',
    'Pairs a row',
  ];
  const lines = [0, 0.03, 0.06, 0.09, 0.11].flatMap((step) =>
    [false, true].map((isRanking) => {
      const each = { ...askedBy(FULL_RULE), step, isRanking, level: RULE_LEVEL };
      const found = SLOPES.map((slope) =>
        rankingOf({ ...each, slope }, noises, tables / 2, random),
      );
      return [
        percent(step),
        isRanking ? 'told apart, or alike' : 'known',
        percent(mean(found.map(({ trueSigns }) => trueSigns))),
        percent(min(found.map(({ trueSigns }) => trueSigns))),
        percent(mean(found.map(({ coverage }) => coverage))),
        percent(min(found.map(({ coverage }) => coverage))),
        percent(mean(found.map(({ unclear }) => unclear))),
        mean(found.map(({ pairsPerRow }) => pairsPerRow)).toFixed(1),
      ];
    }),
  );
  return markdownTable([headings, ...lines]);
}

/** Widths of published rows, and coverage of simulated tables with their noise. */
function quantitiesTable(): string {
  const headings = ['', 'Rows', 'Student ±', 'adjusted ±', '> 20 %', '> 20 %', 'slope'];
  const simulated = ['Student: hold', 'adjusted: hold', 'least'];
  const lines = MEASURES.map((measure) => {
    const noises = noisesOf(measure);
    const widths = widthsOf(rowsOfAll(measure), measure);
    return noises.length > 0 ? [...widths, ...coverageOfMeasure(noises)] : widths;
  });
  return markdownTable([[...headings, ...simulated], ...lines]);
}

function coverageOfMeasure(noises: NoiseOfRun[]): string[] {
  const cases = [3, 5, 10].flatMap((pairs) =>
    [false, true].map((isUnequal) => {
      const slope = median(noises.map((noise) => noise.slope));
      return { rows: 5, pairs, slope, isUnequal, isDrifting: true };
    }),
  );
  const found = cases.map((each) => coverageOf(each, noises, tables, random));
  return [
    percent(mean(found.map(({ plain }) => plain))),
    percent(mean(found.map(({ adjusted }) => adjusted))),
    percent(min(found.map(({ adjusted }) => adjusted))),
  ];
}

/** Tables of 5 and 10 pairs, drawn from a run that has many more. */
function longRunTable(file: string): string {
  const result = readResult(file);
  const headings = [
    'Pairs drawn',
    'Student: hold',
    'adjusted: hold',
    'Student ±',
    'adjusted ±',
    'noise row differs',
  ];
  const lines = [5, 10].map((pairs) => {
    const found = coverageOfLongRun(result, pairs, DRAWS, random);
    return [
      `${pairs}`,
      percent(found.plain),
      percent(found.adjusted),
      percent(found.plainWidth),
      percent(found.adjustedWidth),
      percent(found.falseAlarms),
    ];
  });
  return markdownTable([headings, ...lines]);
}

function percent(share: number): string {
  return Number.isNaN(share) ? '' : `${(share * 100).toFixed(1)} %`;
}

if (options.long) console.log(longRunTable(options.long));
else if (options.published) console.log(publishedTable());
else if (options.tasks) console.log(tasksTable(noisesOf('cpuUs')));
else if (options.rates) console.log(ratesTable(noisesOf('cpuUs')));
else if (options.ranking) console.log(rankingTable(noisesOf('cpuUs')));
else if (options.quantities) console.log(quantitiesTable());
else {
  const noises = noisesOf('cpuUs');
  console.log(`${coverageTable(noises)}\n\n${stoppingTable(noises)}`);
}
