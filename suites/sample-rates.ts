import type { ScenarioInput, SuiteInput, TaskInput } from '../harness/suite/suite-schema.ts';
import { hono, sdk2Middleware } from './tracers/bun/rows.ts';
import { auto, bare } from './tracers/node/rows.ts';
import { compared, sampled, sdkSampler } from './tracers/rows.ts';
import { LARGE_QUEUE_REMARK } from './tracers/span-queue.ts';

const SHARES = [0.1, 0.01, 0];
/** Requests a second, beside full load. */
const RATE = 1_000;

/** Without its tracer, and with it at each share of the requests; the first is the baseline. */
interface Framework {
  name: string;
  title: string;
  scenarios: ScenarioInput[];
}

const express = auto('express', 2);
/** The variable switches off its SDK, not what patches modules. */
const disabled: ScenarioInput = {
  ...express,
  name: 'auto-2-disabled',
  title: `${express.title}, OTEL_SDK_DISABLED`,
  switchedOff: true,
  telemetry: {},
  env: { ...express.env, OTEL_SDK_DISABLED: 'true' },
};

const atShares = (of: ScenarioInput) => [
  { ...of, title: `${of.title}, 100 % sampled` },
  ...sampled(of, sdkSampler, SHARES),
];

const FRAMEWORKS: Framework[] = [
  {
    name: 'express',
    title: 'Express',
    scenarios: [bare('express'), disabled, ...atShares(express)],
  },
  { name: 'hono', title: 'Hono on Bun', scenarios: [hono, ...atShares(sdk2Middleware)] },
];

const { answer, full, ...suite } = compared(
  {
    name: 'sample-rates',
    title: 'What sampling saves',
    remarks: [LARGE_QUEUE_REMARK, "OpenTelemetry's histograms count all requests, sampled or not."],
  },
  FRAMEWORKS.flatMap(({ scenarios }) => scenarios),
);

/** At full load, and at the steady rate. */
function tasksOf({ name, title, scenarios }: Framework): TaskInput[] {
  const names = scenarios.map((scenario) => scenario.name);
  const shared = { exchanges: [{ answer }], baseline: names[0], scenarios: names };
  return [
    { ...shared, name, title: `${title}, full load` },
    { ...shared, name: `${name}-${RATE}`, title: `${title}, 1,000/s`, rate: RATE },
  ];
}

/**
 * What OpenTelemetry's SDK 2 costs at 100, 10, 1 and 0 % of the requests, and switched off, at full
 * load and at a steady rate: docs/tracers.md.
 */
export default {
  ...suite,
  tasks: FRAMEWORKS.flatMap(tasksOf),
  full: { ...full, starts: 0 },
  quick: { starts: 0 },
} satisfies SuiteInput;
