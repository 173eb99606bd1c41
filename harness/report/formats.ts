import { halfWidth } from '../analysis/estimate.ts';
import type { Analysis } from '../analysis/model.ts';
import { docsReport, fullReport } from './markdown.ts';
import { howMeasured } from './notes.ts';
import { COSTS } from './tables.ts';
import { printableJson } from './text.ts';
import { CHANGE_UNITS } from './units.ts';

/** What an analysis can be printed as. */
export const FORMATS = ['docs', 'full', 'json', 'github-action-benchmark'] as const;
export type Format = (typeof FORMATS)[number];

/** The text of each format, fit for a terminal. */
export const RENDERERS: Record<Format, (analysis: Analysis) => string> = {
  docs: docsReport,
  full: fullReport,
  json: asJson,
  'github-action-benchmark': (analysis) => asJson(benchmarkEntries(analysis)),
};

/** The changes in ms and in µs, as that action reads them by the name of `customSmallerIsBetter`. */
function benchmarkEntries(analysis: Analysis) {
  const rows = analysis.tasks.flatMap((task) => task.rows.map((row) => ({ task, row })));
  return rows.flatMap(({ task, row }) =>
    COSTS.flatMap((quantity) => {
      const { unit, factor } = CHANGE_UNITS[quantity];
      const estimate = row.change[quantity]?.estimate;
      if (!estimate) return [];
      const title = analysis.tasks.length > 1 ? `${task.title}: ${row.title}` : row.title;
      const range = halfWidth(estimate) * factor;
      return {
        name: `${title}, ${quantity === 'cpuUs' ? 'server CPU per request' : 'change per request'}`,
        unit,
        value: estimate.value * factor,
        ...(Number.isFinite(range) && { range: `± ${Number(range.toPrecision(2))}` }),
        extra: howMeasured(analysis),
      };
    }),
  );
}

/** Infinite numbers become null. */
function asJson(value: unknown): string {
  return printableJson(JSON.stringify(value, null, 2));
}
