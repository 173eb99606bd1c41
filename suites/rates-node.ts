import type { ScenarioInput, SuiteInput, TaskInput } from '../harness/suite/suite-schema.ts';
import { bare, common } from './tracers/node/rows.ts';
import { LARGE_QUEUE_REMARK } from './tracers/span-queue.ts';

/** Requests a second that services have; undefined for as many as a server answers. */
const RATES = [100, 1_000, 5_000, undefined];

const node = [bare('http'), ...common('http')];

/**
 * Returns the same comparison at each rate. The first scenario is the baseline of the others. The
 * task at full load has the name, the others the name and their rate.
 */
export function tasksOf(name: string, title: string, scenarios: ScenarioInput[]): TaskInput[] {
  const names = scenarios.map((scenario) => scenario.name);
  return RATES.map((rate) => ({
    name: rate === undefined ? name : `${name}-${rate}`,
    title: rate === undefined ? `${title}, full load` : `${title}, ${rate}/s`,
    exchanges: [{ answer: { body: 'Hi' } }],
    ...(rate !== undefined && { rate }),
    baseline: names[0] as string,
    scenarios: names,
  }));
}

/**
 * A server that sleeps between requests takes a varied time for each, so slices are long; and as
 * rows are many, there are few slices.
 */
export const RATES_FULL = { durationSeconds: 40, sliceSeconds: 4, warmupSeconds: 30 };

/**
 * What the main tracers cost on Node at the rates that people have, beside full load:
 * docs/rates-and-curves.md.
 */
export default {
  name: 'rates-node',
  title: 'Tracers on Node by the rate of requests',
  baseline: 'http',
  remarks: [LARGE_QUEUE_REMARK],
  tasks: tasksOf('node', 'node:http', node),
  scenarios: node,
  full: RATES_FULL,
} satisfies SuiteInput;
