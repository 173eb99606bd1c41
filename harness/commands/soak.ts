import { mean, sum } from 'simple-statistics';
import { halfWidth, type Interval, isBounded } from '../analysis/interval.ts';
import { slopeEstimate } from '../analysis/slope.ts';
import { exportsOf, MAX_CHANCE_DEVIATIONS } from '../pair/exported.ts';
import { type Arm, startBoth } from '../pair/start.ts';
import { loadUntilResting } from '../pair/under-load.ts';
import type { World } from '../pair/world.ts';
import { loadOf, type TaskLoad } from '../plan/task-load.ts';
import { checkOpen } from '../processes/child.ts';
import { Interruption, unlessStopped } from '../processes/interruption.ts';
import { memoryBytes } from '../processes/usage.ts';
import type { Exported } from '../result/schema.ts';
import type { LoadOptions } from '../settle/options.ts';
import { settle } from '../settle/settle.ts';
import { readSuite } from '../suite/read-suite.ts';
import { select } from '../suite/select.ts';
import { Problem, problemLine, ScenarioProblem } from '../words/errors.ts';
import { EXIT_STATUS, print, printToStderr } from '../words/output.ts';
import { asDuration } from '../words/progress.ts';
import { asMs, asNumber, signed } from '../words/units.ts';

/** As many stretches of load; of each, memory and event-loop delay are told. */
const BLOCKS = 30;
/** Until the middle of its last stretch; what grows in less time may be a heap that fills for the first time. */
const MIN_SECONDS = 290;
/** Of a run that was stopped sooner, nothing can be told. */
const MIN_BLOCKS = 10;
/** Until then, heaps grow that are healthy. */
const FIRST_PART = 0.2;
/** With a larger part of its requests failing, a server has another load than the one whose memory is asked for. */
const MAX_FAILED = 0.01;
const NOT_LOADED =
  '. Too many requests failed to tell whether it grows: lower --rate, or fix what failed';
const SAMPLE_EVERY_MS = 1_000;
const MIB = 2 ** 20;
const DAY_SECONDS = 86_400;

type SoakOptions = LoadOptions & { rate: number; for: number };

type Block = Awaited<ReturnType<typeof soakBlock>>;

/**
 * Loads one server for long, and prints whether its memory grows, how late its event loop was, and which spans are lost.
 * Returns the exit status: failed if it would double within a day, or if nobody can tell. @throws Problem
 */
export async function soak(
  scenario: string,
  { rate, for: seconds, ...given }: SoakOptions,
): Promise<number> {
  const fixed = { quick: false, pin: true, keepAwake: true, strict: false, dryRun: false } as const;
  const options = { ...fixed, ...given, scenarios: [scenario] };
  const selected = select(await readSuite(options.suite), options);
  // In place of whatever rates the suite has.
  const suite = { ...selected, tasks: selected.tasks.map((task) => ({ ...task, rate })) };
  const blocks: Block[] = [];
  let exported: Exported | null = null;
  const loadAll = async () => {
    const { plan, world } = await settle(options, suite);
    const row = plan.rows.find((each) => each.scenario.name === scenario);
    if (!row)
      throw new Problem(`There is no scenario ${scenario} to load`, 'Name one of the suite');
    await using servers = await startBoth(world, {
      row,
      startedFirst: 'scenario',
      loadedFirst: 'scenario',
    });
    const server = servers.scenario;
    const load = loadOf(row.task, Math.max(1, Math.round(seconds / BLOCKS)));
    const startMs = performance.now();
    while (blocks.length < BLOCKS) {
      const block = await soakBlock(world, server, load, startMs);
      blocks.push(block);
      const wrong = block.faults.map(({ what }) => `, ${what}`).join('');
      const { atSeconds, bytes } = block;
      printToStderr(
        `${blocks.length} of ${BLOCKS}, after ${asDuration(atSeconds)}: ${asNumber(bytes / MIB)} MiB${wrong}`,
      );
    }
    exported = await exportsOf(world, server);
  };
  const stoppedBy = await unlessStopped(loadAll());
  if (stoppedBy && blocks.length < MIN_BLOCKS) throw stoppedBy;
  const { lines, status } = soakReport(blocks, exported);
  print(lines.join('\n'));
  if (!stoppedBy) return status;
  printToStderr(`tracetax: ${problemLine(stoppedBy) ?? `${stoppedBy.message}.`}`);
  return stoppedBy instanceof Interruption ? EXIT_STATUS[stoppedBy.signal] : EXIT_STATUS.failure;
}

/** One stretch of load. Memory is the mean of samples a second apart. @throws ScenarioProblem if the server ended */
export async function soakBlock(world: World, started: Arm, load: TaskLoad, startMs: number) {
  const { probe, child } = started.server;
  const bytes: number[] = [];
  const sample = () => {
    const read = memoryBytes(child.pid);
    if (read !== null) bytes.push(read);
  };
  const begunMs = performance.now();
  await probe.begin();
  const timer = setInterval(sample, SAMPLE_EVERY_MS);
  const { loaded, faults } = await loadUntilResting(world, started, load).finally(() =>
    clearInterval(timer),
  );
  // Ctrl-C ends the load tool first: what fails then is no fault of the server.
  checkOpen();
  const { exitDescription } = child;
  if (exitDescription)
    throw new ScenarioProblem(
      started.planned.name,
      'ended under load',
      exitDescription,
      'Mend the server',
    );
  child.output.trim();
  if (bytes.length === 0) sample();
  if (bytes.length === 0)
    throw new Problem("The memory of the server can't be read", 'Run soak on Linux');
  const endMs = performance.now();
  const delayUs = (await probe.end())?.eventLoopDelayUs ?? null;
  const { requests, seconds } = loaded;
  const atSeconds = ((begunMs + endMs) / 2 - startMs) / 1e3;
  return { atSeconds, bytes: mean(bytes), delayUs, requests, seconds, faults };
}

/** What is told of stretches of load, and the exit status. */
export function soakReport(
  blocks: Block[],
  exported: Exported | null,
): { lines: string[]; status: number } {
  const late = blocks.slice(Math.ceil(FIRST_PART * blocks.length));
  const perSecond = slopeEstimate(late.map(({ atSeconds, bytes }) => [atSeconds, bytes]));
  const failed = sum(late.flatMap((block) => block.faults.map(({ count }) => count)));
  const isLoaded = failed <= MAX_FAILED * sum(late.map(({ requests }) => requests));
  const last = blocks.at(-1) as Block;
  const requests = sum(blocks.map((block) => block.requests));
  // By the clock, as the slope of memory is: with the pauses between stretches of load.
  const overallRate = requests / (last.atSeconds * (blocks.length / (blocks.length - 0.5)));
  const rate = requests / sum(blocks.map(({ seconds }) => seconds));
  const delays = late.flatMap(({ delayUs }) => delayUs ?? []);
  const most = asMs(Math.max(...delays.map(({ max }) => max)));
  const faults = Map.groupBy(
    blocks.flatMap((block) => block.faults),
    ({ what }) => what,
  );
  const growth = isLoaded ? growthText(perSecond, last, overallRate) : NOT_LOADED;
  const lines = [
    `Memory: ${asNumber(last.bytes / MIB)} MiB at the end${growth}.`,
    `Rate: ${asNumber(rate)} requests/s were answered.`,
    ...(delays.length > 0
      ? [`Event loop: late by ${asMs(mean(delays.map(({ p99 }) => p99)))} (p99), ${most} at most.`]
      : []),
    ...(exported ? [`Spans: ${spansText(exported)}.`] : []),
    ...[...faults].map(([what, own]) => {
      const first = own[0]?.detail ? `, the first with: ${own[0].detail}` : '';
      return `${what}: ${sum(own.map(({ count }) => count))} times${first}.`;
    }),
  ];
  const isFine = isBounded(perSecond) && !doubles(perSecond.low, last.bytes) && faults.size === 0;
  return { lines, status: isFine ? EXIT_STATUS.success : EXIT_STATUS.failure };
}

/** Whether memory surely doubles within a day. */
function doubles(leastPerSecond: number, bytes: number): boolean {
  return leastPerSecond * DAY_SECONDS > bytes;
}

function growthText(perSecond: Interval, last: Block, rate: number): string {
  if (!isBounded(perSecond))
    return '. It moves too unevenly to tell whether it grows: soak it for longer';
  const per = (factor: number, unit: string) =>
    `${signed(perSecond.value * factor)} ±${asNumber(halfWidth(perSecond) * factor)} ${unit}`;
  const slope = `${per(3_600 / MIB, 'MiB an hour')} (${per(1 / rate, 'bytes a request')})`;
  return `, ${slope}, after the first fifth. ${verdict(perSecond, last)}`;
}

function verdict({ low, high }: Interval, { bytes, atSeconds }: Block): string {
  if (low > 0 && atSeconds < MIN_SECONDS)
    return 'In less than 5 minutes, a healthy heap may grow, too: soak it for longer';
  if (doubles(low, bytes)) return 'It grows: within a day it would double';
  const [least, most] = [low, high].map((perSecond) => asNumber((perSecond * DAY_SECONDS) / MIB));
  if (low > 0) return `It may grow, by ${least} to ${most} MiB a day`;
  return `No growth was found${high > 0 ? `; up to ${most} MiB a day can't be ruled out` : ''}`;
}

function spansText({ spansExpected, spansDeviation, spansReceived, fault }: Exported): string {
  if (fault !== null) return `not counted: ${fault}`;
  if (spansExpected === null) return `${spansReceived} received, and nobody knows of how many`;
  const lost = spansExpected - spansReceived;
  const isChance = lost <= MAX_CHANCE_DEVIATIONS * spansDeviation;
  return `${isChance ? 0 : Math.round(lost)} of ${Math.round(spansExpected)} lost`;
}
