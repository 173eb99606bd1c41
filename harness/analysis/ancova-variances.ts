/**
 * The variances v of the errors e of `ancova.ts`: what each row tells of its own, what the rows of
 * a pool tell together, and how far a row's is drawn towards that of its pool.
 */
import { sum } from 'simple-statistics';
import type { CostSize, ModelRow, Variances } from './ancova-model.ts';
import { informationOf, PRIOR_MEAN, type Slope } from './ancova-slopes.ts';
import type { EstimatedVariance } from './interval.ts';

/** Clocks tell seven digits: a variance of errors below their rounding is not known. */
const LEAST_VARIANCE = 1e-12;

/**
 * Prior degrees of freedom: maximum likelihood over 219 published rows gave 4.4, and 2.8 for those
 * that cost next to nothing.
 */
const PRIOR_FREEDOM = { notable: 4, small: 3 } as const satisfies Record<CostSize, number>;

/** What the errors of a row tell of their variance. */
export interface Spread {
  squares: number;
  degreesOfFreedom: number;
}

/**
 * Returns the variances of the pools, each over all of its rows.
 * @param old those of the step before; null for none: then nothing tells how much of each row a
 * slope took, and it took nothing
 */
export function variancesOf(
  rows: readonly ModelRow[],
  slopes: Map<string, Slope>,
  old: Variances | null,
): Variances {
  const varianceOf = (own: ModelRow[]): number => {
    const spreads = own.map((row) => spreadOf(row, slopes, old));
    const freedom = sum(spreads.map(({ degreesOfFreedom }) => degreesOfFreedom));
    const squares = sum(spreads.map((spread) => spread.squares));
    return freedom > 0 ? Math.max(LEAST_VARIANCE, squares / freedom) : LEAST_VARIANCE;
  };
  const pools = Map.groupBy(rows, ({ pool }) => pool);
  return new Map([...pools].map(([pool, own]) => [pool, varianceOf(own)]));
}

/**
 * Returns what a row's errors tell. A slope takes as much of its degrees of freedom, h, as the row
 * tells of it: n - 1 - h.
 */
export function spreadOf(
  row: ModelRow,
  slopes: Map<string, Slope>,
  variances: Variances | null,
): Spread {
  const slope = slopes.get(row.task) ?? { value: PRIOR_MEAN, variance: 0 };
  const share = variances ? informationOf(row, variances) * slope.variance : 0;
  const errors = row.deviations.map((y, at) => y - slope.value * (row.predictor[at] ?? 0));
  return {
    squares: sum(errors.map((error) => error ** 2)),
    degreesOfFreedom: Math.max(0, row.n - 1 - Math.min(1, share)),
  };
}

/**
 * Returns the variance of a row's errors, drawn towards that of its pool: v = (d0 v0 + f s²) /
 * (d0 + f) (G. K. Smyth, Statistical Applications in Genetics and Molecular Biology 3, 2004,
 * article 3). It is a sum Σ a s² over the pool's rows, so that its degrees of freedom are d0 + f
 * or 1 / Σ (a² / f), whichever is less (Satterthwaite).
 */
export function moderatedVariance(
  row: ModelRow,
  spreads: Map<ModelRow, Spread>,
): EstimatedVariance {
  const prior = PRIOR_FREEDOM[row.size];
  const pool = [...spreads].filter(([each]) => each.pool === row.pool);
  const freedom = sum(pool.map(([, { degreesOfFreedom }]) => degreesOfFreedom));
  const squares = sum(pool.map(([, spread]) => spread.squares));
  const own = spreads.get(row) as Spread;
  const f = own.degreesOfFreedom;
  if (freedom <= 0) return { variance: Number.POSITIVE_INFINITY, degreesOfFreedom: 0 };
  // A row's weight a is `pooled` × its degrees of freedom; the row itself has `privately` more.
  const pooled = prior / (freedom * (prior + f));
  const privately = f / (prior + f);
  const sumOfSquares = pooled ** 2 * freedom + 2 * pooled * privately + f / (prior + f) ** 2;
  return {
    variance: ((prior * squares) / freedom + own.squares) / (prior + f),
    degreesOfFreedom: Math.min(prior + f, 1 / sumOfSquares),
  };
}
