/**
 * What keeping the cores awake does to truth and to precision: known costs, measured in turn with
 * cores awake and asleep.
 *
 *     PATH=$PWD/.tools/bin:$PATH bun run benchmarks/keep-awake.ts FILE [PAIRS]
 *
 * The differences of the pairs are kept in FILE. If FILE is there already, it is printed again and
 * nothing is measured.
 */
import { closeSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { markdownTable } from 'markdown-table';
import { mean } from 'simple-statistics';
import { meanEstimate } from '../harness/analysis/mean-estimate.ts';
import { difference } from '../harness/analysis/quantities.ts';
import { keepCoresAwake } from '../harness/machine/keep-awake.ts';
import { measurePair } from '../harness/pair/pair.ts';
import { planRounds } from '../harness/run/order.ts';
import { benchmarkPlan } from './benchmark-plan.ts';

const [file = 'keep-awake.json', pairs = '6'] = process.argv.slice(2);
const SCENARIOS = ['bare', 'bare-10us', 'bare-40us'];

/** Times in µs of CPU per request. */
interface Measured {
  scenario: string;
  isAwake: boolean;
  trueUs: number;
  changeUs: number;
}

if (!existsSync(file)) await measure();
console.log(report(JSON.parse(readFileSync(file, 'utf8')) as Measured[]));

async function measure(): Promise<void> {
  const chosen = { suite: 'calibration', tasks: ['bare'], scenarios: SCENARIOS };
  const { plan, world } = await benchmarkPlan({
    ...chosen,
    pairs: Number(pairs),
    duration: 1,
    keepAwake: false,
  });
  if (plan.header.environment.cpuidleDriver === null)
    throw new Error('no cpuidle driver is there: cores are awake anyway');
  const measured: Measured[] = [];
  for (const pair of planRounds(plan.rows, Number(pairs), 1)) {
    for (const isAwake of [true, false]) {
      const awake = isAwake && keepCoresAwake();
      const done = await measurePair(world, pair, plan.header.configuration);
      if (awake) closeSync(awake);
      const trueUs = done.usage.scenario.probe?.trueCostUs ?? Number.NaN;
      const changeUs = difference(done, 'cpuUs');
      const failed = done.faults[0]?.what;
      if (failed) throw new Error(failed);
      if (!Number.isFinite(trueUs - changeUs))
        throw new Error('the true or the measured cost is not known');
      measured.push({ scenario: done.scenario, isAwake, trueUs, changeUs });
    }
  }
  writeFileSync(file, `${JSON.stringify(measured, null, 1)}\n`);
}

function report(measured: Measured[]): string {
  const errorOf = (pairs: Measured[]) => {
    const { value, standardError } = meanEstimate(
      pairs.map(({ changeUs, trueUs }) => changeUs - trueUs),
    );
    return `${value.toFixed(2)} ±${standardError.toFixed(2)} µs`;
  };
  const rows = SCENARIOS.map((scenario) => {
    const own = measured.filter((each) => each.scenario === scenario);
    const [awake = [], asleep = []] = [true, false].map((is) =>
      own.filter(({ isAwake }) => isAwake === is),
    );
    return [
      `${mean(awake.map(({ trueUs }) => trueUs)).toFixed(2)} µs`,
      errorOf(awake),
      errorOf(asleep),
    ];
  });
  return markdownTable([
    ['True cost', 'Error, cores awake (± standard error)', 'Error, cores asleep'],
    ...rows,
  ]);
}
