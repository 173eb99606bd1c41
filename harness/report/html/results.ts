import type { Result } from '../../results/schema.ts';
import type { Verdict } from '../../results/verdict.ts';
import { calibrationRows } from '../../stats/calibration.ts';
import { type ResourceFigures, resourceRows } from '../../stats/resources.ts';
import type { Row, Summary } from '../../stats/summary.ts';
import * as cells from '../cells.ts';
import { markedTitle } from '../notes.ts';
import { asMiB, asMs, asRate, asUs, asUsChange } from '../units.ts';
import { figure, html, type Markup } from './escape.ts';
import { type Column, table } from './table.ts';

/** The table of the documentation, with the noise floor as its last row. */
export function docsTable({ configuration }: Result, summary: Summary, verdicts: Verdict[]): Markup {
  const hasSolo = configuration.rounds > 0;
  const { rows, noiseFloor } = summary;
  const columns: Column<Row | null>[] = [
    ['Test', (row) => (row ? markedTitle(row, verdicts) : 'Noise floor (baseline against itself)')],
  ];
  const add = (heading: string, cell: (row: Row) => string, floor = '') =>
    columns.push([heading, (row) => figure(row ? cell(row) : floor)]);
  if (hasSolo)
    add('Change per request', ({ isBaseline, solo }) =>
      (isBaseline ? cells.latencyCell : cells.changeCell)(solo),
    );
  if (noiseFloor) {
    add('Server CPU per request', (row) => cells.cpuCell(row, summary), cells.noiseFloorCell(summary));
    add('CPU ratio', cells.ratioCell);
  }
  if (noiseFloor && hasSolo) add('Throughput', ({ solo }) => cells.throughputCell(solo));
  return table('Each test against the baseline', columns, noiseFloor ? [...rows, null] : rows);
}

/** True against measured extra cost of servers whose cost is known. */
export function calibrationTable(result: Result): Markup {
  const columns: Column<ReturnType<typeof calibrationRows>[number]>[] = [
    ['True extra cost', ({ trueUs, title }) => (Number.isFinite(trueUs) ? asUs(trueUs) : title)],
    ['Measured', ({ measuredUs }) => (Number.isFinite(measuredUs) ? asUsChange(measuredUs) : cells.INVALID)],
    [
      '95 % interval',
      ({ intervalUs: i }) => (i ? figure(`${asUsChange(i.low)} … ${asUsChange(i.high)}`) : '-'),
    ],
    ['Covered', ({ intervalUs, isCovered }) => (intervalUs ? (isCovered ? 'yes' : 'no') : '-')],
  ];
  return table('True against measured cost', columns, calibrationRows(result));
}

/** What a client sees of each server alone. */
export function latencyTable({ rows }: Summary): Markup {
  const columns: Column<Row>[] = [
    ['Test', ({ title }) => title],
    ['Mean latency', ({ solo }) => figure(cells.latencyCell(solo))],
    ...(['p50', 'p75', 'p95', 'p99', 'max'] as const).map(
      (name): Column<Row> => [name, cells.percentileCell(name)],
    ),
    ['Change over rounds', ({ solo }) => figure(cells.spreadCell(solo.figures?.change))],
    ['Requests/s', ({ solo }) => figure(solo.figures ? asRate(solo.figures.throughput) : cells.INVALID)],
    ['Errors', ({ solo }) => solo.errors],
  ];
  return table('What a client sees of each server alone', columns, rows);
}

/** CPU time, memory and event-loop delay as the probes in the servers saw them: alone where that was measured. */
export function resourcesTable(result: Result): Markup {
  const rows = resourceRows(result).flatMap(({ title, figures }) => (figures ? [{ title, ...figures }] : []));
  if (rows.length === 0) return html`<p>Not in this file: no probe told what the servers used.</p>`;
  const columns: Column<ResourceFigures & { title: string }>[] = [
    ['Test', ({ title }) => title],
    ['CPU user / request', (row) => figure(asUs(row.cpuUserPerRequestUs))],
    ['CPU system / request', (row) => figure(asUs(row.cpuSystemPerRequestUs))],
    ['RSS mean', ({ rssBytes }) => asMiB(rssBytes.mean)],
    ['RSS peak', ({ rssBytes }) => asMiB(rssBytes.peak)],
    ['Heap mean', ({ heapBytes }) => asMiB(heapBytes.mean)],
    ['Heap peak', ({ heapBytes }) => asMiB(heapBytes.peak)],
    ['Event-loop delay p50', ({ eventLoopDelayUs }) => asMs(eventLoopDelayUs.p50)],
    ['Event-loop delay p99', ({ eventLoopDelayUs }) => asMs(eventLoopDelayUs.p99)],
    ['Event-loop delay max', ({ eventLoopDelayUs }) => asMs(eventLoopDelayUs.max)],
  ];
  const how = result.soloRounds.length > 0 ? 'each alone' : 'in duets with the baseline';
  return table(`What the servers used, ${how}`, columns, rows);
}
