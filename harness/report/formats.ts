import type { Result } from '../results/schema.ts';
import { verdictsOf } from '../stats/verdicts.ts';
import { benchfmtReport } from './benchfmt.ts';
import { CALIBRATION, calibrationReport } from './calibration.ts';
import { csvReport } from './csv.ts';
import { printableJson } from './printable.ts';
import { docsReport, fullReport } from './tables.ts';

/** What a result can be printed as. */
export const FORMATS = ['docs', 'full', 'json', 'csv', 'benchfmt'] as const;
export type Format = (typeof FORMATS)[number];

export const RENDERERS: Record<Format, (result: Result) => string> = {
  docs: (result) => (result.suite.name === CALIBRATION ? calibrationReport(result) : docsReport(result)),
  full: fullReport,
  json: (result) => printableJson(JSON.stringify({ ...result, verdicts: verdictsOf(result) }, null, 1)),
  csv: csvReport,
  benchfmt: benchfmtReport,
};
