import { sdk2Middleware, sdk3, tenSpans } from './tracers/bun/rows.ts';
import { compared } from './tracers/rows.ts';
import { LARGE_QUEUE_REMARK } from './tracers/span-queue.ts';

const about = {
  name: 'tracers-upgrade',
  title: "OpenTelemetry's SDK 2 to 3",
  remarks: [LARGE_QUEUE_REMARK],
};
const { answer, ...suite } = compared(about, [
  sdk2Middleware,
  sdk3,
  tenSpans(sdk2Middleware),
  tenSpans(sdk3),
]);
const task = (name: string, title: string, scenarios: string[]) => ({
  ...{ name, title, scenarios, exchanges: [{ answer }] },
  baseline: scenarios[0] as string,
});

/** What an upgrade of OpenTelemetry's SDK changes, on Hono and Bun: docs/tracers.md. */
export default {
  ...suite,
  tasks: [
    task('upgrade', 'SDK 2 to 3', ['otel-sdk-2-middleware', 'otel-sdk-3']),
    task('upgrade-10x', 'SDK 2 to 3, 10 spans', ['otel-sdk-2-middleware-10x', 'otel-sdk-3-10x']),
  ],
};
