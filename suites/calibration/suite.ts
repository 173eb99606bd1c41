import type { ScenarioInput, SuiteInput } from '../../harness/suite/suite-schema.ts';

/**
 * What the servers of a task cost in common, and what they burn more in every request, in µs of CPU
 * time.
 */
interface Task {
  name: string;
  title: string;
  baseUs: number;
  extraUs: number[];
  /** Requests a second. */
  rate?: number;
}

/** What some do in place of burning, with about its cost in µs. */
const EXTRAS = [
  { name: 'allocation', title: '100 objects', us: 10 },
  { name: 'spans', title: '10 spans, dropped', us: 10 },
];

const bare = { baseUs: 0, extraUs: [0.5, 2, 10, 40] };
const TASKS: Task[] = [
  { name: 'bare', title: 'Empty answer', ...bare },
  { name: 'paced', title: 'Empty answer, 4,000 requests/s', ...bare, rate: 4_000 },
  { name: 'busy', title: 'Handler of 100 µs', baseUs: 100, extraUs: [2, 10, 40] },
];

/**
 * The baseline first. Each server measures its own true cost: that of the suite is only what it
 * aims at.
 */
function scenariosOf({ name, baseUs, extraUs }: Task): ScenarioInput[] {
  const server = (
    suffix: string,
    title: string,
    trueCostUs: number,
    env: Record<string, string>,
  ): ScenarioInput => ({
    name: name + suffix,
    title,
    command: ['bun', 'run', 'server.ts'],
    env: { BASE_US: String(baseUs), ...env },
    telemetry: {},
    trueCostUs,
  });
  return [
    server('', 'Baseline', 0, { BURN_US: '0' }),
    ...extraUs.map((us) => server(`-${us}us`, `+${us} µs`, us, { BURN_US: String(us) })),
    // Where tracetax is a package, there may be no SDK to make spans.
    ...EXTRAS.map((extra) => ({
      ...server(`-${extra.name}`, extra.title, extra.us, { EXTRA: extra.name }),
      optional: true,
    })),
  ];
}

/** Servers with a known extra cost, for `scripts/bench.sh calibrate`. */
export default {
  name: 'calibration',
  title: 'Known costs',
  baseline: 'bare',
  tasks: TASKS.map((task) => ({
    name: task.name,
    title: task.title,
    exchanges: [{ answer: { body: 'Hi', mediaType: 'text/plain' } }],
    ...(task.rate !== undefined && { rate: task.rate }),
    baseline: task.name,
    scenarios: scenariosOf(task).map(({ name }) => name),
  })),
  scenarios: TASKS.flatMap(scenariosOf),
} satisfies SuiteInput;
