import type { SuiteInput, TaskInput } from '../../harness/suite/suite-schema.ts';
import { level } from '../levels.ts';

const exchanges: TaskInput['exchanges'] = [{ answer: { body: 'Hi', mediaType: 'text/plain' } }];
const traced = { ...level('trace-active'), export: 'none', env: {} } as const;

/**
 * Full tracing by the inspector on Hono, and by the same calls of the SDK in a bare server, both
 * without export.
 */
export default {
  name: 'glue',
  title: "What the inspector adds to the SDK's own calls",
  cwd: '../..',
  baseline: 'baseline',
  remarks: [
    'The inspector itself costs what the change with Hono is more than the change with Bun.serve: both make the same calls of the SDK, and neither exports.',
  ],
  tasks: [
    {
      name: 'hono',
      title: 'Hono',
      exchanges,
      baseline: 'baseline',
      scenarios: ['baseline', 'trace-active'],
    },
    {
      name: 'bare',
      title: 'Bun.serve',
      exchanges,
      baseline: 'bare',
      scenarios: ['bare', 'bare-sdk'],
    },
  ],
  scenarios: [
    level('baseline'),
    { ...traced, title: 'Full tracing by the inspector' },
    {
      name: 'bare',
      title: 'Baseline',
      command: ['bun', 'run', 'suites/glue/bare.ts'],
      telemetry: {},
    },
    {
      ...traced,
      name: 'bare-sdk',
      title: 'The SDK by hand',
      command: ['bun', 'run', 'suites/glue/bare-sdk.ts'],
    },
  ],
} satisfies SuiteInput;
