// Fake results: whole ones, their pairs, slices, exports and faults, with figures that a test can
// work out by hand.
import type { Fault } from '../result/faults.ts';
import type { CoreUse, Exported, Loaded, Pair, Result, Usage } from '../result/schema.ts';

/**
 * Pairs and results as tests need them. They agree with themselves: a server is busy all the time,
 * so its CPU per request gives its throughput, and with the connections its latency.
 */

const CONNECTIONS = 100;
const START = '2026-11-21T00:00:00.000Z';

/**
 * A server under load for one second, by its CPU per request and the share of the core that it
 * gets.
 */
export function fakeLoaded(of: { costUs: number; share?: number; connections?: number }): Loaded {
  const { costUs, share = 1, connections = CONNECTIONS } = of;
  const requests = Math.round((share * 1e6) / costUs);
  const mean = (connections * 1e6) / requests;
  return {
    requests,
    seconds: 1,
    underWay: 0,
    errors: [],
    latencyUs: {
      mean,
      p50: mean,
      p90: mean,
      p95: mean * 2,
      p99: mean * 3,
      p999: null,
      max: mean * 4,
    },
    cpuNs: requests * costUs * 1e3,
    toolCpuNs: share * 5e8,
    toolSleeps: 0,
  };
}

/** One second in which the server's core was full, the load tool's half busy. */
function fakeCores(): CoreUse {
  return { wallNs: 1e9, server: { busyNs: 1e9, stealNs: 0 }, tool: { busyNs: 5e8, stealNs: 0 } };
}

/** A pair of 2 alternating and 3 duet slices. Costs are CPU per request in µs. */
export function fakePair(scenario = 'other', scenarioUs = 12, baselineUs = 10): Pair {
  const alternating = () => ({
    baseline: fakeLoaded({ costUs: baselineUs }),
    scenario: fakeLoaded({ costUs: scenarioUs }),
    cores: { baseline: fakeCores(), scenario: fakeCores() },
    rateShortfall: null,
  });
  const half = (costUs: number) => fakeLoaded({ costUs, share: 0.5, connections: CONNECTIONS / 2 });
  const duet = () => ({
    baseline: half(baselineUs),
    scenario: half(scenarioUs),
    cores: fakeCores(),
    rateShortfall: null,
  });
  return {
    task: 'default',
    scenario,
    isSteady: true,
    sliceSeconds: 1,
    seconds: { start: 1, warmUp: 5, slices: 7, stop: 1 },
    alternating: [alternating(), alternating()],
    duets: [duet(), duet(), duet()],
    turns: [],
    warmUp: [],
    whileIdle: { baseline: [], scenario: [] },
    usage: { baseline: fakeUsage(), scenario: fakeUsage() },
    restingShares: null,
    exported: { baseline: null, scenario: null },
    faults: [],
  };
}

/**
 * A pair of two alternating and two duet slices, whose sums can be checked by hand. Its figures do
 * not follow from each other.
 */
export function fakePairByHand(): Pair {
  const pair = fakePair();
  const loaded = (requests: number, seconds: number, mean: number, cpuNs: number) => {
    const fake = fakeLoaded({ costUs: 1 });
    return {
      ...fake,
      requests,
      seconds,
      cpuNs,
      latencyUs: fake.latencyUs && { ...fake.latencyUs, mean },
    };
  };
  const alone = { cores: { baseline: null, scenario: null }, rateShortfall: null };
  const together = { cores: null, rateShortfall: null };
  pair.alternating = [
    { baseline: loaded(1_000, 1, 100, 4e8), scenario: loaded(800, 1, 130, 5e8), ...alone },
    { baseline: loaded(3_000, 3, 200, 1.2e9), scenario: loaded(1_000, 2, 210, 1e9), ...alone },
  ];
  pair.duets = [
    { baseline: loaded(100, 1, 1, 1e6), scenario: loaded(100, 1, 1, 2e6), ...together },
    { baseline: loaded(300, 1, 1, 5e6), scenario: loaded(100, 1, 1, 3e6), ...together },
  ];
  return pair;
}

/** Slices of a warm-up of both servers at once; costs are CPU per request in µs. */
export function fakeWarmUp(scenarioUs: readonly number[], baselineUs = 10): Pair['warmUp'] {
  const half = (costUs: number) => ({
    requests: Math.round(5e5 / costUs),
    watchedMs: 1_000,
    cpuMs: 500,
  });
  return scenarioUs.map((costUs) => ({ baseline: half(baselineUs), scenario: half(costUs) }));
}

/** What a request takes in five pairs, in µs: so much in the mean, and up to `spreadUs` from it. */
export function costsAround(us: number, spreadUs = 0.02): number[] {
  return [us, us + spreadUs, us - spreadUs, us + spreadUs / 2, us - spreadUs / 2];
}

/** One pair for each cost in µs. */
export function fakePairs(scenario: string, costsUs: number[], baselineUs = 10): Pair[] {
  return costsUs.map((costUs) => fakePair(scenario, costUs, baselineUs));
}

/**
 * The baseline against itself, and a scenario that costs 2 µs more, five pairs each: nothing is
 * wrong with it.
 */
export function cleanPairs(): Pair[] {
  return [
    ...fakePairs('base', [9.99, 10.02, 10, 9.98, 10.01]),
    ...fakePairs('other', [11.98, 12.03, 12, 11.97, 12.02]),
  ];
}

const fakeWakeUp = (us: number) => ({ us, standardErrorUs: 0.05 });

/**
 * A whole run of these pairs. Its scenarios are those of the pairs; their titles are their names,
 * capitalised.
 */
export function fakeResult(pairs: Pair[] = cleanPairs()): Result {
  const names = [...new Set(['base', 'other', ...pairs.map(({ scenario }) => scenario)])];
  const perScenario = Math.max(
    1,
    ...names.map((name) => pairs.filter(({ scenario }) => scenario === name).length),
  );
  return {
    kind: 'tracetax',
    schemaVersion: 3,
    startedAt: START,
    endedAt: '2026-11-21T00:10:00.000Z',
    stoppedBy: null,
    endReason: 'complete',
    suite: {
      name: 'fake',
      title: 'Fake',
      isInstrumentation: true,
      isLadder: false,
      remarks: [],
      tasks: [fakeTask('default', names)],
      sweep: null,
      skipped: [],
      scenarios: names.map(fakeScenario),
    },
    configuration: {
      connections: CONNECTIONS,
      durationSeconds: perScenario * 2,
      sliceSeconds: 1,
      pairs: perScenario,
      mostPairs: null,
      within: null,
      limits: null,
      atMostSeconds: null,
      alternatingSlices: 2,
      duetSlices: 3,
      warmupSeconds: 10,
      starts: 0,
      idleSeconds: 0,
      export: 'otlp',
      isRanking: false,
      isQuick: false,
      seed: 7,
      tasks: null,
      scenarios: null,
    },
    tool: { name: 'bombardier', version: 'v2.0.2', host: null, latencyFrom: null },
    pinning: { serverCore: '0', toolCores: '1', toolCoreCount: 1, sinkCore: null },
    keepAwake: { how: '/dev/cpu_dma_latency' },
    environment: {
      cpu: 'Test CPU',
      cpuMhz: null,
      cores: 2,
      memoryBytes: 8 * 1024 ** 3,
      kernel: 'Linux 6 x64',
      gitRevision: 'abc',
      frequencyGovernor: null,
      cpuidleDriver: 'haltpoll',
      wakeUp: { plain: fakeWakeUp(8), held: fakeWakeUp(4) },
      variables: { removed: [], supplied: [], preloading: [] },
    },
    proofs: names.map((scenario) => ({
      scenario,
      requests: 200,
      spans: 0,
      metrics: [],
      notes: [],
    })),
    startUps: [],
    idles: [],
    pairs,
  };
}

/** A task in which `base` is the baseline of these scenarios. */
export function fakeTask(
  name: string,
  scenarios = ['base', 'other'],
): Result['suite']['tasks'][number] {
  return {
    name,
    title: titleOf(name),
    baseline: 'base',
    scenarios,
    rate: null,
    rateShare: null,
    connections: CONNECTIONS,
    exchanges: [{ method: 'GET', path: '/', weight: 1, requestDigest: '01', answerDigest: '23' }],
    command: ['bombardier', '-c', '100', 'http://127.0.0.1:PORT/'],
  };
}

/** As `compare --git` names what it compares. */
export function asRevisions({ suite, pairs, proofs }: Result): void {
  suite.comparesRevisions = true;
  const renamed = (name: string) => (name === 'base' ? 'base.old' : `${name}.new`);
  for (const each of suite.scenarios) each.name = renamed(each.name);
  for (const each of [...pairs, ...proofs]) each.scenario = renamed(each.scenario);
  for (const task of suite.tasks) {
    task.baseline = 'base.old';
    task.scenarios = task.scenarios.filter((each) => each !== 'base').map(renamed);
  }
}

function fakeScenario(name: string): Result['suite']['scenarios'][number] {
  return {
    name,
    title: titleOf(name),
    trueCostUs: null,
    export: 'otlp',
    runtime: { name: 'bun', version: '1.4.5' },
    packages: { hono: '4.13.19' },
  };
}

/** Makes scenarios `NAME-0`, ... of a result values of a sweep. */
export function fakeSweep(name: string, values: number[]): (result: Result) => void {
  const curve = titleOf(name);
  const points = values.map((value) => ({
    task: 'default',
    scenario: `${name}-${value}`,
    curve,
    value,
  }));
  return ({ suite }) => {
    suite.sweep = { parameter: name.toUpperCase(), unit: 'span', points };
  };
}

/** What one server used over all slices of a pair. */
export function fakeUsage(): Usage {
  return {
    memoryBytes: { mean: 1e8 },
    cpuUs: { user: 8e5, system: 2e5 },
    probe: {
      mode: 'production',
      eventLoopDelayUs: { p50: 10, p99: 100, max: 1_000 },
      trueCostUs: null,
    },
  };
}

/** What the sink of a server received of so many spans. */
export function fakeExported(
  spansExpected: number | null,
  spansReceived: number,
  spansDeviation = 0,
): Exported {
  return { spansExpected, spansDeviation, spansReceived, refused: [], fault: null };
}

/** Requests that were answered with an error, in the first alternating slice. */
export function fakeFault(more: Partial<Fault> = {}): Fault {
  const slice = { kind: 'alternating' as const, number: 1 };
  return {
    kind: 'requests-failed',
    what: 'requests failed',
    detail: 'status 500',
    scenario: 'other',
    slice,
    count: 7,
    ...more,
  };
}

function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
