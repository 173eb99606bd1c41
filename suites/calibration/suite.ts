import type { SuiteInput } from '../../harness/suite/schema.ts';

type Task = NonNullable<SuiteInput['tasks']>[number];

/** What the servers of a task cost in common, and what they burn more in every request, in µs of CPU time. */
const TASKS = [
  { name: 'bare', title: 'Empty answer', baseUs: 0, extraUs: [0.5, 2, 10, 40] },
  { name: 'busy', title: 'Handler of 100 µs', baseUs: 100, extraUs: [2, 10, 40] },
];

const nameOf = (task: string, extraUs: number) => (extraUs === 0 ? task : `${task}-${extraUs}us`);

const scenario = (task: string, baseUs: number, extraUs: number): SuiteInput['scenarios'][number] => ({
  name: nameOf(task, extraUs),
  title: extraUs === 0 ? 'Baseline' : `+${extraUs} µs`,
  command: ['bun', 'run', 'server.ts'],
  env: { BASE_US: String(baseUs), BURN_US: String(extraUs) },
  telemetry: {},
  trueCostUs: extraUs,
});

/** Servers with a known extra cost, for `scripts/bench.sh calibrate`. */
export default {
  name: 'calibration',
  title: 'Known costs',
  baseline: 'bare',
  tasks: TASKS.map(
    ({ name, title, extraUs }): Task => ({
      name,
      title,
      exchanges: [{ answer: { body: 'Hi', mediaType: 'text/plain' } }],
      baseline: name,
      scenarios: [name, ...extraUs.map((us) => nameOf(name, us))],
    }),
  ),
  scenarios: TASKS.flatMap(({ name, baseUs, extraUs }) => [
    scenario(name, baseUs, 0),
    ...extraUs.map((us) => scenario(name, baseUs, us)),
  ]),
  full: { durationSeconds: 10 },
  quick: { durationSeconds: 3, pairs: 3 },
} satisfies SuiteInput;
