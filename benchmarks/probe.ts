/**
 * What the probe in every server costs: a suite in which a server without it is the baseline of the
 * same server with it.
 *
 *     scripts/bench.sh --suite ./benchmarks/probe.ts --export none --duration 10s --out FILE
 */
import type { SuiteInput } from '../harness/suite/suite-schema.ts';
import levels, { level } from '../suites/levels.ts';

const MEASURED = ['baseline', 'trace-10x'].map((name) => {
  const { command, ...server } = level(name);
  // The variable that loads the probe, taken back before the server starts.
  const without = ['env', '-u', 'BUN_OPTIONS', ...command];
  return [
    { ...server, name: `${name}-without`, title: `${server.title} without`, command: without },
    { ...server, command },
  ] as const;
});

const { request, answer } = levels;

export default {
  name: 'probe',
  title: 'The probe in every server',
  cwd: '..',
  baseline: 'baseline-without',
  tasks: MEASURED.map(([without, { name, title = name }]) => ({
    name,
    title,
    exchanges: [{ request, answer }],
    baseline: without.name,
    scenarios: [without.name, name],
  })),
  scenarios: MEASURED.flat(),
} satisfies SuiteInput;
