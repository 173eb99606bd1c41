import type { ScenarioInput } from '../harness/suite/suite-schema.ts';
import {
  hono,
  honoOtel,
  sdk2Middleware as sdk2,
  sdk3,
  sentryHono,
  sentryPreload,
} from './tracers/bun/rows.ts';
import { bare, withDatadog } from './tracers/node/rows.ts';
import { compared } from './tracers/rows.ts';

const TROUBLES = {
  takes: 'receiver well',
  slow: 'receiver takes 1 s',
  refuses: 'receiver answers 503',
  hangs: 'receiver never answers',
  gone: 'receiver gone',
} as const;

const inTrouble = (of: ScenarioInput): ScenarioInput[] =>
  Object.entries(TROUBLES).map(([receiver, what]) => ({
    ...of,
    name: `${of.name}-${receiver}`,
    title: `${of.title}, ${what}`,
    receiver: receiver as keyof typeof TROUBLES,
  }));

/**
 * With as much room for spans as each has by default: how much is lost, and what memory grows by,
 * depends on it.
 */
const byDefault = (
  { OTEL_BSP_MAX_QUEUE_SIZE: _, OTEL_BSP_MAX_EXPORT_BATCH_SIZE: __, ...env } = { ...sdk2.env },
) => env;
const tracers = [sdk2, sdk3, honoOtel, sentryHono, sentryPreload];
const onBun = [
  hono,
  ...tracers.map((of) => ({ ...of, env: byDefault(of.env) })).flatMap(inTrouble),
];
const onNode = [bare('hono'), ...inTrouble(withDatadog('hono'))].map((of) => ({
  ...of,
  name: of.name === 'hono' ? 'hono-node' : of.name,
}));

const { answer, ...suite } = compared({ name: 'outage', title: 'A collector in trouble' }, [
  ...onBun,
  ...onNode,
]);
const task = (name: string, title: string, scenarios: ScenarioInput[]) => ({
  ...{ name, title, exchanges: [{ answer }] },
  ...{ baseline: scenarios[0]?.name ?? '', scenarios: scenarios.map(({ name }) => name) },
});

/**
 * What requests pay while what takes the spans is slow, answers 503, hangs, or is gone; and what is
 * lost: docs/tracers.md.
 */
export default {
  ...suite,
  tasks: [task('bun', 'Hono on Bun', onBun), task('node', 'Hono on node:http', onNode)],
  full: { warmupSeconds: 10 },
  quick: { ...suite.quick, starts: 0 },
};
