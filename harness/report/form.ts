import type { Run } from '../analysis/analysis.ts';
import { rowsOf } from '../analysis/rows.ts';

/** The form of the first table: a matrix is of several tasks with the same scenarios. */
export type Form = 'docs' | 'calibration' | 'rate' | 'matrix';

/** The changes that pictures and other programs show, too. */
export const COSTS = ['latencyUs', 'cpuUs'] as const;
export type Cost = (typeof COSTS)[number];
export const COST_NAMES = { latencyUs: 'change per request', cpuUs: 'server CPU per request' };

/** Chosen once for all of a report. */
export function formOf({ tasks }: Run): Form {
  const rows = tasks.flatMap((task) => task.rows);
  if (rows.length > 0 && rows.every(({ trueCostsUs }) => trueCostsUs !== null)) return 'calibration';
  if (rows.length > 0 && tasks.every(({ rate }) => rate !== null)) return 'rate';
  const keys = tasks.map(({ baseline, rows }) => JSON.stringify([baseline.name, rows.map(({ scenario }) => scenario)]));
  return tasks.length > 1 && new Set(keys).size === 1 ? 'matrix' : 'docs';
}

/** Of the costs that were measured those that the first table shows. */
export function shownCosts({ tasks }: Run, form: Form): Cost[] {
  const measured = COSTS.filter((cost) => tasks.flatMap(rowsOf).some(({ change }) => change[cost]));
  if (form === 'docs') return measured;
  return form === 'matrix' ? measured.slice(-1) : measured.filter((cost) => cost === 'cpuUs');
}
