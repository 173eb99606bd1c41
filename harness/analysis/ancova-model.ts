/**
 * The rows of a run as the model of `ancova.ts` sees them, in its symbols: what the costs, slopes
 * and variances of the other files are computed from. Nothing is estimated here.
 */
import { mean, sum } from 'simple-statistics';
import { differenceOf, type Sample, scenarioMinusBaseline } from './sample.ts';

/** A row of a run. */
export interface RunRow {
  task: string;
  /** One of each pair; null if the row was not measured. */
  samples: readonly Sample[] | null;
}

/** Rows that cost less than this share of their baseline have a smaller spread of errors. */
const SMALL_COST = 0.1;

/** Rows that cost something, and the others. */
export type CostSize = 'notable' | 'small';

/** The variance of the errors e of each pool, as shares of S squared. */
export type Variances = ReadonlyMap<string, number>;

/** A row as the model sees it. */
export interface ModelRow {
  task: string;
  size: CostSize;
  /** Names the rows whose errors have nearly the same spread. */
  pool: string;
  /** Whether it tells of a slope: two pairs of each task lie on a line, whatever its slope. */
  tellsSlope: boolean;
  n: number;
  /** D: what the row costs beyond what is known, before it is adjusted. */
  meanDifference: number;
  /** S; or a tenth of the baseline, if that is more: totals near zero are no scale. */
  scale: number;
  differences: number[];
  slowness: number[];
  meanSlowness: number;
  meanBaseline: number;
  /** (D / S) (x - mean x), of each pair. */
  predictor: number[];
  /** (d - D) / S, of each pair. */
  deviations: number[];
}

/** A row before it is known whether its pool has pairs enough for a slope. */
type RowOfPool = Omit<ModelRow, 'tellsSlope'>;

/** Returns the rows in the order that they were given; null for one that was not measured. */
export function modelsOf(rows: readonly RunRow[]): (ModelRow | null)[] {
  const baselines = meanBaselines(rows);
  const models = rows.map((row) => modelOf(row, baselines.get(speedGroupOf(row)) ?? Number.NaN));
  const pools = Map.groupBy(
    models.filter((row) => row !== null),
    ({ pool }) => pool,
  );
  return models.map((row) => row && { ...row, tellsSlope: tellSlopes(pools.get(row.pool) ?? []) });
}

/** Returns whether rows of one pool have more pairs than their means and their slopes take. */
function tellSlopes(rows: readonly RowOfPool[]): boolean {
  const freedomBesideMeans = sum(rows.map(({ n }) => n - 1));
  const slopes = new Set(rows.map(({ task }) => task)).size;
  return freedomBesideMeans > slopes;
}

/**
 * Names the rows whose errors have nearly the same spread. A row that is the only one of its pool
 * tells its spread alone: those at other rates would make it too narrow (`benchmarks/coverage.ts
 * --rates`).
 */
function poolOf(size: CostSize, [first]: readonly Sample[]): string {
  // The machine may change between two alternating slices; in others it changes for both servers.
  const kind = first?.slices === 'alternating' ? 'alternating slices' : 'other slices';
  return `${size} in ${kind} at ${first?.rate ?? 'full load'}`;
}

function hasSamples({ samples }: RunRow): boolean {
  if (!samples || samples.length === 0) return false;
  return samples.every((sample) => Number.isFinite(differenceOf(sample)));
}

/**
 * Names the rows whose baselines are alike: a baseline takes more beside another server than alone,
 * so speeds are only compared among slices of one kind. All pairs of a row are of one kind.
 */
function speedGroupOf({ task, samples }: RunRow): string {
  return `${task} ${samples?.[0]?.slices ?? ''}`;
}

/** B of each speed group, over all pairs of its rows. */
function meanBaselines(rows: readonly RunRow[]): Map<string, number> {
  const groups = Map.groupBy(rows.filter(hasSamples), speedGroupOf);
  const means = [...groups].map(([speedGroup, own]): [string, number] => {
    const samples = own.flatMap((row) => row.samples ?? []);
    return [speedGroup, mean(samples.map(({ baseline }) => baseline))];
  });
  return new Map(means);
}

function modelOf(row: RunRow, meanBaseline: number): RowOfPool | null {
  if (!row.samples || !hasSamples(row)) return null;
  const differences = row.samples.map(differenceOf);
  const meanDifference = mean(differences);
  const total = mean(row.samples.map(({ scenario }) => scenario));
  const scale = Math.max(total, Math.abs(meanBaseline) / 10) || 1;
  const slowness = row.samples.map(({ baseline }) =>
    meanBaseline === 0 ? 0 : baseline / meanBaseline - 1,
  );
  const meanSlowness = mean(slowness);
  const meanCost = mean(row.samples.map(scenarioMinusBaseline));
  const size = Math.abs(meanCost) < SMALL_COST * Math.abs(meanBaseline) ? 'small' : 'notable';
  return {
    task: row.task,
    size,
    pool: poolOf(size, row.samples),
    n: differences.length,
    meanDifference,
    scale,
    differences,
    slowness,
    meanSlowness,
    meanBaseline,
    predictor: slowness.map((x) => (meanDifference / scale) * (x - meanSlowness)),
    deviations: differences.map((d) => (d - meanDifference) / scale),
  };
}
