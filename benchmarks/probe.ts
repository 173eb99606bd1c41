/**
 * What the probe itself costs: one server with and without it, by duets.
 *
 *     PATH=$PWD/.tools/bin:$PATH bun run benchmarks/probe.ts FILE [FORKS]
 *
 * The measured duets are kept in FILE; where that is there already, what it holds is printed again.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { markdownTable } from 'markdown-table';
import { duetForks, measureDuet } from '../harness/measure/duet.ts';
import type { DuetFork } from '../harness/results/schema.ts';
import { ratioEstimate } from '../harness/stats/duet.ts';
import type { Scenario } from '../harness/suite/schema.ts';
import { levelsPlan } from './levels-plan.ts';

const [file = 'results/probe.json', forks = '20'] = process.argv.slice(2);
const LEVELS = ['baseline', 'trace-10x'];

if (!existsSync(file)) await measure(Number(forks));
console.log(report(JSON.parse(readFileSync(file, 'utf8')) as DuetFork[]));

async function measure(count: number): Promise<void> {
  const planned = await levelsPlan(LEVELS);
  const measured: DuetFork[] = [];
  const executor = (_: string, name: string, __: number, baselineFirst: boolean) => {
    const scenario = planned.task.scenarios.find((each) => each.name === name) as Scenario;
    // The variable that loads the probe, taken back before the server starts.
    const without = { ...scenario, command: ['env', '-u', 'BUN_OPTIONS', ...scenario.command] };
    const pair = { baseline: without, scenario };
    return measureDuet(planned, pair, planned.configuration.slices, baselineFirst);
  };
  for await (const fork of duetForks(
    new Map([[planned.task.name, LEVELS]]),
    { forks: count, seed: 1 },
    executor,
  )) {
    measured.push(fork);
    writeFileSync(file, `${JSON.stringify(measured, null, 1)}\n`);
  }
}

function report(measured: DuetFork[]): string {
  const rows = LEVELS.map((name) => {
    const own = measured.filter((fork) => fork.scenario === name);
    const { ratio, interval } = ratioEstimate(own);
    const percent = (value: number) => `${((value - 1) * 100).toFixed(2)} %`;
    return [
      name,
      String(own.length),
      percent(ratio),
      interval ? `${percent(interval.low)} … ${percent(interval.high)}` : '-',
    ];
  });
  return markdownTable([['Server', 'Duets', 'With the probe', '95 % interval'], ...rows]);
}
