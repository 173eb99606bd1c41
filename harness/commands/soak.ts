import { startBoth } from '../pair/arms.ts';
import { stopAndCountExports } from '../pair/exported.ts';
import type { PlannedRow } from '../plan/plan.ts';
import { loadOf } from '../plan/task-load.ts';
import { Interruption, unlessStopped } from '../processes/interruption.ts';
import type { Exported } from '../result/schema.ts';
import type { LoadOptions, MeasureOptions } from '../settle/options.ts';
import { type Settled, settle } from '../settle/settle.ts';
import { readSuite } from '../suite/read-suite.ts';
import { select } from '../suite/select.ts';
import type { Suite } from '../suite/suite.ts';
import { Problem, problemLine } from '../words/errors.ts';
import { EXIT_STATUS, print, printToStderr } from '../words/output.ts';
import { asDuration } from '../words/progress.ts';
import { asNumber, asUs } from '../words/units.ts';
import { type Block, measureBlock } from './soak/block.ts';
import { cpuUsOfBlocks } from './soak/cpu.ts';
import { BYTES_PER_MIB, reportSoak } from './soak/report.ts';

/** The command `soak`: it loads one server for long, and says what of it grows. */

export interface SoakOptions extends LoadOptions {
  /** How many requests are sent a second. */
  rate: number;
  /** How many seconds the load lasts. */
  for: number;
}

/** What a soak has measured so far. */
interface Soaked {
  blocks: Block[];
  /** What the sink received of the server's whole life; null until the end, or without a sink. */
  exported: Exported | null;
}

/** So many stretches of load. */
const BLOCKS = 30;
/** A soak that was stopped sooner tells nothing. */
const MIN_BLOCKS = 10;

/**
 * Loads one server for long, and prints whether its memory and its CPU per request grow, how late
 * its event loop was, and which spans are lost. Returns the exit status: a failure if memory would
 * double within a day, if nobody can tell, if the rate was not held, or if anything failed.
 * @throws Problem
 */
export async function soak(scenario: string, options: SoakOptions): Promise<number> {
  const soaked: Soaked = { blocks: [], exported: null };
  const stoppedBy = await unlessStopped(loadForLong(scenario, options, soaked));
  if (stoppedBy && soaked.blocks.length < MIN_BLOCKS) throw stoppedBy;
  const { lines, isPassed } = reportSoak(soaked.blocks, soaked.exported);
  print(lines.join('\n'));
  if (!stoppedBy) return isPassed ? EXIT_STATUS.success : EXIT_STATUS.failure;
  printToStderr(`tracetax: ${problemLine(stoppedBy) ?? `${stoppedBy.message}.`}`);
  return stoppedBy instanceof Interruption ? EXIT_STATUS[stoppedBy.signal] : EXIT_STATUS.failure;
}

/**
 * Loads the server in stretches, each of which is added to what was soaked, also if a later one
 * fails.
 */
async function loadForLong(scenario: string, options: SoakOptions, soaked: Soaked): Promise<void> {
  const { plan, world } = await settleSoak(scenario, options);
  const row = rowOf(plan.rows, scenario);
  await using arms = await startBoth(world, {
    row,
    startedFirst: 'scenario',
    loadedFirst: 'scenario',
  });
  const load = loadOf(row.task, Math.max(1, Math.round(options.for / BLOCKS)));
  const startMs = performance.now();
  while (soaked.blocks.length < BLOCKS) {
    const block = await measureBlock(world, arms.scenario, load, startMs);
    soaked.blocks.push(block);
    printToStderr(`${soaked.blocks.length} of ${BLOCKS}, ${blockText(block)}`);
  }
  soaked.exported = await stopAndCountExports(world, arms.scenario);
}

/**
 * Plans a run of this scenario alone, at the rate of the soak in place of whatever rates the suite
 * has.
 */
async function settleSoak(scenario: string, options: SoakOptions): Promise<Settled> {
  const { rate, for: _, ...load } = options;
  const measureOptions: MeasureOptions = {
    ...load,
    scenarios: [scenario],
    quick: false,
    pin: true,
    keepAwake: true,
    strict: false,
    dryRun: false,
  };
  const suite = select(await readSuite(options.suite), measureOptions);
  checkOneTask(suite, scenario);
  const tasks = suite.tasks.map((task) => ({ ...task, rate }));
  return settle(measureOptions, { ...suite, tasks });
}

/** @throws Problem if several tasks have the scenario, so that nobody knows what to request */
function checkOneTask({ tasks }: Suite, scenario: string): void {
  if (tasks.length <= 1) return;
  const names = tasks.map(({ name }) => name);
  throw new Problem(
    `${scenario} is in several tasks, and a soak loads one`,
    `Choose one with --tasks: ${names.join(', ')}`,
  );
}

function rowOf(rows: readonly PlannedRow[], scenario: string): PlannedRow {
  const row = rows.find((each) => each.scenario.name === scenario);
  if (!row) throw new Problem(`There is no scenario ${scenario} to load`, 'Name one of the suite');
  return row;
}

/** Returns a stretch as progress shows it. */
function blockText(block: Block): string {
  const { atSeconds, bytes, faults } = block;
  const cpuUs = cpuUsOfBlocks([block]);
  const parts = [
    `after ${asDuration(atSeconds)}: ${asNumber(bytes / BYTES_PER_MIB)} MiB`,
    ...(Number.isFinite(cpuUs) ? [`${asUs(cpuUs)} of CPU a request`] : []),
    ...faults.map(({ what }) => what),
  ];
  return parts.join(', ');
}
