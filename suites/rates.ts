import type { ScenarioInput, SuiteInput, TaskInput } from '../harness/suite/suite-schema.ts';
import { ROOM_REMARK } from './levels.ts';
import { hono, honoOtel, sdk2Middleware, sdk3, sentryHono } from './tracers/bun/rows.ts';
import { bare, common } from './tracers/node/rows.ts';

/** Requests a second that services have; undefined for as many as a server answers. */
const RATES = [100, 1_000, 5_000, undefined];

const node = [bare('http'), ...common('http')];
const bun = [hono, sdk2Middleware, sdk3, honoOtel, sentryHono];

/** The same comparison at each rate. The first scenario is the baseline of the others. */
function tasksOf(name: string, title: string, scenarios: ScenarioInput[]): TaskInput[] {
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
 * What the main tracers cost at the rates that people have, beside full load:
 * docs/rates-and-curves.md.
 */
export default {
  name: 'rates',
  title: 'Tracers by the rate of requests',
  baseline: 'http',
  remarks: [ROOM_REMARK],
  tasks: [...tasksOf('node', 'node:http', node), ...tasksOf('bun', 'Hono on Bun', bun)],
  scenarios: [...node, ...bun],
  // Rows are many: two slices of each server in a pair keep four pairs of each within an hour.
  full: { durationSeconds: 20, warmupSeconds: 30 },
} satisfies SuiteInput;
