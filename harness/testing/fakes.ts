import type { DuetFork, Result, SoloMeasurement } from '../results/schema.ts';
import type { Usage } from '../server/probe.ts';
import { ONLY_TASK } from '../suite/schema.ts';

/** Measurements and results as tests need them: the figures of interest are named, the rest is filled in. */

export function fakeMeasurement(scenario: string, meanLatencyUs = 1_000, requests = 1_000): SoloMeasurement {
  return {
    scenario,
    startedAt: '2026-11-21T00:00:00.000Z',
    command: ['bombardier', 'http://127.0.0.1:3000/'],
    output: '{}',
    load: {
      requests,
      seconds: 1,
      errors: [],
      latencyUs: {
        mean: meanLatencyUs,
        p50: meanLatencyUs,
        p75: meanLatencyUs,
        p90: meanLatencyUs,
        p95: meanLatencyUs * 2,
        p99: meanLatencyUs * 3,
        max: meanLatencyUs * 4,
      },
      statistics: `statistics of ${scenario}`,
    },
    cpuNs: null,
    toolCpuNs: null,
    usage: null,
    cores: null,
    invalid: [],
  };
}

/** A result of the scenarios `base` and `other`, with these rounds. */
export function fakeResult(rounds: SoloMeasurement[][]): Result {
  return {
    schemaVersion: 1,
    kind: 'tracetax',
    startedAt: '2026-11-21T00:00:00.000Z',
    endedAt: '2026-11-21T00:01:00.000Z',
    stoppedBy: null,
    suite: {
      name: 'fake',
      title: 'Fake',
      tasks: [],
      skipped: [],
      isInstrumentation: true,
      baseline: 'base',
      scenarios: [
        { name: 'base', title: 'Baseline', command: ['bun', 'run', 'base.ts'], telemetry: { metrics: [] } },
        { name: 'other', title: 'Other', command: ['bun', 'run', 'other.ts'], telemetry: { metrics: [] } },
      ],
    },
    configuration: {
      connections: 100,
      durationSeconds: 30,
      requestCount: null,
      warmupSeconds: 2,
      rounds: rounds.length,
      forks: 0,
      slices: 3,
      sliceSeconds: 1,
      precision: null,
      quick: false,
      seed: 7,
    },
    tool: { name: 'bombardier', version: 'v1.2.6' },
    pinning: { serverCore: '0', toolCores: '1' },
    environment: {
      cpu: 'Test CPU',
      cores: 2,
      memoryBytes: 8 * 1024 ** 3,
      kernel: 'Linux 6 x64',
      virtualization: 'kvm',
      runtime: { name: 'bun', version: '1.4.5', revision: 'abc' },
      packages: { hono: '4.13.19' },
      gitRevision: 'abc',
      frequencyGovernor: null,
    },
    cpuClock: { name: 'process CPU clock, ns' },
    proofs: ['base', 'other'].map((scenario) => ({
      scenario,
      requests: 200,
      concurrency: 10,
      spans: 0,
      traces: 0,
      metrics: [],
    })),
    soloRounds: rounds.map((measurements) => ({ task: ONLY_TASK, measurements })),
    duetForks: [],
    verdicts: [],
  };
}

/** What the probe tells of a server that exported `exported` spans and dropped `dropped`. */
export function fakeUsage(spansExported = 0, spansDropped = 0): Usage {
  const series = { mean: 1e8, max: 2e8 };
  return {
    pid: 1,
    runtime: { name: 'bun', version: '1.4.5', isDebugBuild: false, mode: 'production' },
    cpuUserUs: 8e5,
    cpuSystemUs: 2e5,
    rssBytes: series,
    heapBytes: series,
    eventLoopDelayUs: { p50: 10, p99: 100, max: 1_000 },
    telemetry: {
      spansStarted: spansExported + spansDropped,
      spansExported,
      spansDropped,
      requestsMeasured: spansExported + spansDropped,
    },
  };
}

/** A fork of two slices in which the two servers cost so many µs of CPU a request. */
export function fakeDuetFork(scenario: string, baselineUs: number, scenarioUs: number): DuetFork {
  const side = (costUs: number) => {
    const { statistics: _, ...load } = fakeMeasurement(scenario, 1_000, 5e8 / (costUs * 1_000)).load;
    return { cpuNs: 5e8, output: '{}', load };
  };
  const slice = () => ({ baseline: side(baselineUs), scenario: side(scenarioUs) });
  return {
    task: ONLY_TASK,
    scenario,
    startedAt: '2026-11-21T00:00:00.000Z',
    baselineFirst: true,
    commands: { baseline: ['bombardier'], scenario: ['bombardier'] },
    slices: [slice(), slice()],
    usage: { baseline: null, scenario: null },
    cores: null,
    invalid: [],
  };
}
