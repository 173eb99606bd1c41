import { markdownTable } from 'markdown-table';
import { percent } from './cells.ts';
import { coverageOfRates, type RateCase } from './rates.ts';
import type { Simulation } from './simulation.ts';

/** Errors as published results of the suites `rates-node` and `rates-bun` have them, about. */
const RATE_CASES: RateCase[] = [
  { rate: null, errors: 1 },
  { rate: 5_000, errors: 1 },
  { rate: 1_000, errors: 2 },
  { rate: 100, errors: 3 },
];

/**
 * Returns how often tables of runs at several rates hold, analysed with one pool of errors, and
 * with one for each rate.
 */
export function ratesTable({ noises, tables, random }: Simulation): string {
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
