import { listed } from '../../words/text.ts';
import { asPercent } from '../../words/units.ts';
import { countSpans, isOfWarmUpToo, unseenLossOf } from '../lost-records.ts';
import {
  type Baseline,
  type MeasuredRun,
  type Row,
  rowsWithNoiseFloor,
  serversOf,
  type TaskAnalysis,
} from '../rows.ts';
import { type Finding, finding } from './finding.ts';

/** A larger share of spans that may be lost unseen may matter. */
const MOST_UNSEEN = 0.01;

/** Servers of which nobody knows whether they recorded what they claim. */
export function findUnproven(run: MeasuredRun): Finding[] {
  const isDropped = run.header.configuration.export === 'none';
  const remedy = isDropped
    ? 'Measure with --export otlp'
    : 'Let all requests of a task record the same number of spans';
  return [
    ...unknown(
      // A server is proved once, whatever its tasks are.
      withoutProof(run).map(({ title }) => title),
      ': nothing proves it',
      'Put what prove prints into the suite',
    ),
    ...unknown(
      uncounted(run, isDropped).map(labelOf),
      ' under load: spans could not be counted',
      remedy,
    ),
    ...unknown(
      countedWithWarmUp(run).map(labelOf),
      ' at the rate: spans were lost, in the warm-up at full load or later',
      'Measure again: newer results tell',
    ),
    ...unknown(
      hidingLosses(run).map(labelOf),
      ` under load: the load tool leaves so many requests that a loss above ${asPercent(MOST_UNSEEN)} may not show`,
      'Use a load tool that waits for its last answers (--tool bombardier)',
    ),
  ];
}

/** One for all of them; none without names. */
function unknown(names: string[], why: string, remedy: string): Finding[] {
  if (names.length === 0) return [];
  return [finding(`Nobody knows whether ${listed(names)} recorded all${why}`, remedy)];
}

function labelOf({ label }: Baseline): string {
  return label;
}

/** None if the suite compares something else than instrumentation. */
function withoutProof({ tasks, header }: MeasuredRun): Baseline[] {
  if (!header.suite.isInstrumentation) return [];
  return tasks.flatMap(serversOf).filter(({ proof }) => proof === null);
}

/** Servers of which older files tell what they lost in all, but not what at a steady rate. */
function countedWithWarmUp({ tasks }: MeasuredRun): Baseline[] {
  return tasks.flatMap((task) => serversWhere(task, isCountedWithWarmUp));
}

function isCountedWithWarmUp({ pairs, faults }: Row): boolean {
  return faults.length === 0 && pairs.some((pair) => isOfWarmUpToo(pair, 'scenario'));
}

/** Servers whose spans are counted, and whose lost ones may be made up for by uncounted requests. */
function hidingLosses({ tasks }: MeasuredRun): Baseline[] {
  return tasks.flatMap((task) => serversWhere(task, mayHideLosses));
}

function mayHideLosses({ pairs, faults }: Row): boolean {
  return faults.length === 0 && unseenLossOf(pairs, 'scenario') > MOST_UNSEEN;
}

/** Servers that recorded spans in their proof, and whose spans were not counted in every pair. */
function uncounted({ tasks }: MeasuredRun, isDropped: boolean): Baseline[] {
  return tasks.flatMap((task) => serversWhere(task, (row) => isUncounted(row, isDropped)));
}

/** Returns the servers of such rows: the baseline against itself stands for the baseline. */
function serversWhere(task: TaskAnalysis, isWanted: (row: Row) => boolean): Baseline[] {
  return rowsWithNoiseFloor(task)
    .filter(isWanted)
    .map((row) => (row === task.noiseFloor ? task.baseline : row));
}

function isUncounted(row: Row, isDropped: boolean): boolean {
  const { proof, pairs, export: exportMode, faults } = row;
  // Those have a warning of their own.
  if (faults.length > 0 || isCountedWithWarmUp(row)) return false;
  const recordsSpans = proof !== null && proof.spans > 0;
  if (!recordsSpans || pairs.length === 0) return false;
  // A proof has an exporter, also with --export none.
  const isWithoutExporter = exportMode === 'none' && isDropped;
  return isWithoutExporter || countSpans(pairs, 'scenario').countedPairs < pairs.length;
}
