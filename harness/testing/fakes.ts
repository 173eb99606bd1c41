import type { DuetFork, Result, SoloMeasurement } from '../results/schema.ts';

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
      request: { method: 'GET', path: '/', headers: {} },
      answer: { status: 200 },
      baseline: 'base',
      scenarios: [
        { name: 'base', title: 'Baseline', command: ['bun', 'run', 'base.ts'] },
        { name: 'other', title: 'Other', command: ['bun', 'run', 'other.ts'] },
      ],
    },
    configuration: {
      connections: 100,
      durationSeconds: 30,
      warmupSeconds: 2,
      rounds: rounds.length,
      forks: 0,
      slices: 3,
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
    },
    cpuClock: { name: 'process CPU clock, ns' },
    soloRounds: rounds.map((measurements) => ({ measurements })),
    duetForks: [],
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
    scenario,
    startedAt: '2026-11-21T00:00:00.000Z',
    baselineFirst: true,
    commands: { baseline: ['bombardier'], scenario: ['bombardier'] },
    slices: [slice(), slice()],
    invalid: [],
  };
}
