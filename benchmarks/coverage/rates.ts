/**
 * Runs with tasks at several rates of requests, simulated: a server that sleeps between requests
 * takes a more varied time for each, so that errors are larger at low rates.
 */
import { median } from 'simple-statistics';
import type { Sample } from '../../harness/analysis/sample.ts';
import type { NoiseOfRun } from './published.ts';
import {
  addPair,
  allHold,
  emptyRows,
  estimatesOfTasks,
  type Random,
  type SimulatedRow,
  shareOfTrue,
  simulate,
  speedsOf,
  truthOf,
  widthOf,
} from './simulation.ts';

/** A rate, and how many times as large as at full load its errors are. */
export interface RateCase {
  /** Null for full load. */
  rate: number | null;
  errors: number;
}

/** Of the tables at one rate. */
export interface CoverageAtRate extends RateCase {
  /** The part in which all intervals hold, and the median of half-width / cost. */
  inOnePool: { hold: number; width: number };
  byRate: { hold: number; width: number };
}

/** As the suites have them. */
const TASKS_PER_RATE = 1;
/** The last is the baseline against itself. */
const ROWS = 5;
const SLOPE = 1;

interface SimulatedTask {
  rateCase: RateCase;
  rows: SimulatedRow[];
}

interface Outcome {
  rate: number | null;
  doHold: boolean;
  width: number;
}

/** Returns how often the tables at each rate hold, with one pool of errors and with one a rate. */
export function coverageOfRates(
  rateCases: readonly RateCase[],
  pairs: number,
  noises: readonly NoiseOfRun[],
  runs: number,
  random: Random,
): CoverageAtRate[] {
  const tasksOfRuns = simulate(runs, noises, random, (noise) =>
    tasksOfRun(rateCases, pairs, noise, random),
  );
  const inOnePool = tasksOfRuns.flatMap((tasks) => outcomesOf(tasks, false));
  const byRate = tasksOfRuns.flatMap((tasks) => outcomesOf(tasks, true));
  return rateCases.map((rateCase) => ({
    ...rateCase,
    inOnePool: summaryAt(rateCase, inOnePool),
    byRate: summaryAt(rateCase, byRate),
  }));
}

function tasksOfRun(
  rateCases: readonly RateCase[],
  pairs: number,
  noise: NoiseOfRun,
  random: Random,
): SimulatedTask[] {
  const nextSpeed = speedsOf(noise, { isDrifting: true }, random);
  const tasks = rateCases.flatMap((rateCase) =>
    Array.from({ length: TASKS_PER_RATE }, (): SimulatedTask => {
      const rows = emptyRows({ rows: ROWS, isUnequal: true }, noise, random);
      for (const row of rows) row.spread *= rateCase.errors;
      return { rateCase, rows };
    }),
  );
  for (let pair = 0; pair < pairs; pair++)
    for (const { rows } of tasks)
      for (const row of rows) addPair(row, nextSpeed(), SLOPE, noise, random);
  return tasks;
}

/** @param areRatesKnown whether the analysis knows at what rate a row was measured */
function outcomesOf(tasks: readonly SimulatedTask[], areRatesKnown: boolean): Outcome[] {
  const estimates = estimatesOfTasks(
    tasks.map(({ rateCase, rows }) =>
      rows.map(({ samples }) => sampledAt(samples, areRatesKnown ? rateCase.rate : null)),
    ),
  );
  return tasks.map(({ rateCase, rows }, at) => {
    const own = estimates[at] ?? [];
    const truths = rows.map((row) => truthOf(row, rows, SLOPE));
    return { rate: rateCase.rate, doHold: allHold(own, truths), width: widthOf(own, truths) };
  });
}

function sampledAt(samples: readonly Sample[], rate: number | null): { samples: Sample[] } {
  return { samples: samples.map((sample) => ({ ...sample, rate })) };
}

function summaryAt({ rate }: RateCase, outcomes: readonly Outcome[]) {
  const own = outcomes.filter((each) => each.rate === rate);
  return {
    hold: shareOfTrue(own.map(({ doHold }) => doHold)),
    width: median(own.map(({ width }) => width)),
  };
}
