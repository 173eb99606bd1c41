import { listed } from '../../words/text.ts';
import { countSpans } from '../lost-records.ts';
import {
  type Baseline,
  type MeasuredRun,
  type Row,
  rowsWithNoiseFloor,
  serversOf,
} from '../rows.ts';
import { type Finding, finding } from './finding.ts';

/** Servers of which nobody knows whether they recorded what they claim. */
export function findUnproven(run: MeasuredRun): Finding[] {
  const isDropped = run.header.configuration.export === 'none';
  const remedy = isDropped
    ? 'Measure with --export otlp'
    : 'Let all requests of a task record the same number of spans';
  return [
    ...unknown(withoutProof(run), ': nothing proves it', 'Declare its telemetry in the suite'),
    ...unknown(uncounted(run, isDropped), ' under load: spans could not be counted', remedy),
  ];
}

/** One for all of them; none without servers. */
function unknown(servers: Baseline[], why: string, remedy: string): Finding[] {
  if (servers.length === 0) return [];
  const titles = listed(servers.map(({ title }) => title));
  return [finding(`Nobody knows whether ${titles} recorded all${why}`, remedy)];
}

/** None if the suite compares something else than instrumentation. */
function withoutProof({ tasks, header }: MeasuredRun): Baseline[] {
  if (!header.suite.isInstrumentation) return [];
  return tasks.flatMap(serversOf).filter(({ proof }) => proof === null);
}

/** Servers that recorded spans in their proof, and whose spans were not counted in every pair. */
function uncounted({ tasks }: MeasuredRun, isDropped: boolean): Baseline[] {
  return tasks.flatMap((task) =>
    rowsWithNoiseFloor(task)
      .filter((row) => isUncounted(row, isDropped))
      .map((row) => (row === task.noiseFloor ? task.baseline : row)),
  );
}

function isUncounted(row: Row, isDropped: boolean): boolean {
  const { proof, pairs, export: exportMode, faults } = row;
  // A row with faults has a warning of its own.
  if (faults.length > 0) return false;
  const recordsSpans = proof !== null && proof.spans > 0;
  if (!recordsSpans || pairs.length === 0) return false;
  // A proof has an exporter, also with --export none.
  const isWithoutExporter = exportMode === 'none' && isDropped;
  return isWithoutExporter || countSpans(pairs, 'scenario').countedPairs < pairs.length;
}
