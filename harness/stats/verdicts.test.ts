import { expect, test } from 'bun:test';
import type { Result, SoloMeasurement } from '../results/schema.ts';
import type { VerdictKind } from '../results/verdict.ts';
import { fakeMeasurement, fakeResult, fakeUsage } from '../testing/fakes.ts';
import { verdictsOf } from './verdicts.ts';

/** Two rounds in which nothing is wrong, but for what `change` does to each measurement. */
function resultWith(change: (measurement: SoloMeasurement, round: number) => void = () => {}): Result {
  const round = (index: number) =>
    ['base', 'other'].map((scenario) => {
      const measurement: SoloMeasurement = {
        ...fakeMeasurement(scenario, scenario === 'base' ? 1_000 : 2_000),
        cpuNs: 1e9,
        toolCpuNs: 5e8,
        usage: fakeUsage(),
        cores: {
          wallNs: 1e9,
          server: { busyNs: 1e9, stealNs: 0 },
          tool: { busyNs: 5e8, stealNs: 0 },
        },
      };
      change(measurement, index);
      return measurement;
    });
  return fakeResult([round(0), round(1)]);
}

const kinds = (result: Result): VerdictKind[] => verdictsOf(result).map(({ kind }) => kind);
const other = (change: (measurement: SoloMeasurement) => void) => (measurement: SoloMeasurement) => {
  if (measurement.scenario === 'other') change(measurement);
};

test('a clean run has none', () => {
  expect(verdictsOf(resultWith())).toEqual([]);
});

test('every verdict has a message and a remedy of its own, and names its row', () => {
  const [verdict] = verdictsOf(
    resultWith(
      other((each) => {
        each.cpuNs = 5e8;
        each.cores = null;
      }),
    ),
  );
  expect(verdict).toEqual({
    kind: 'unsaturated',
    task: null,
    scenario: 'other',
    message: 'The server of Other was busy for 50 % of its core: its change in ms is waiting, not work',
    remedy: 'More connections (--connections), or the CPU column alone',
  });
});

test('the load tool as the bottleneck: an idle server, and no core left for the tool', () => {
  const weak = other((each) => {
    each.cpuNs = 5e8;
    each.toolCpuNs = 9.9e8;
    each.cores = null;
  });
  const [verdict] = verdictsOf(resultWith(weak));
  expect(verdict?.kind).toBe('tool-bottleneck');
  expect(verdict?.message).toContain("50 % of its core, the load tool's cores for 99 %");
});

test('other processes and the hypervisor on the cores', () => {
  const busy = (measurement: SoloMeasurement) => {
    if (measurement.cores) measurement.cores.server.busyNs += 2e8;
  };
  const [first] = verdictsOf(resultWith(busy));
  expect(first?.kind).toBe('other-load');
  expect(first?.message).toContain("20 % of the server's core");
  const stolen = (measurement: SoloMeasurement) => {
    if (measurement.cores) measurement.cores.tool.stealNs = 3e7;
  };
  expect(kinds(resultWith(stolen))).toEqual(['steal']);
});

test('a machine that does not keep its speed', () => {
  const slower = (measurement: SoloMeasurement, round: number) => {
    measurement.load.requests = round === 0 ? 1_000 : 800;
  };
  expect(kinds(resultWith(slower))).toEqual(['drift']);
});

test('runtimes: development mode, a debug build, two versions', () => {
  const runtime = (change: object) =>
    kinds(
      resultWith(
        other((each) => {
          if (each.usage) Object.assign(each.usage.runtime, change);
        }),
      ),
    );
  expect(runtime({ mode: 'development' })).toEqual(['development-mode']);
  expect(runtime({ mode: null })).toEqual(['development-mode']);
  expect(runtime({ isDebugBuild: true })).toEqual(['debug-build']);
  expect(runtime({ version: '1.4.6' })).toEqual(['mixed-runtimes']);
});

test("a fixed rate, in each load tool's way of asking for one", () => {
  for (const rate of [['-r', '100'], ['-r100'], ['--rate=100'], ['-q', '5'], ['-R', '5']]) {
    const paced = (measurement: SoloMeasurement) => measurement.command.push(...rate);
    expect(kinds(resultWith(paced))).toEqual(['fixed-rate']);
  }
});

test('spans that were dropped, spans that nobody counted, and nothing proven', () => {
  const traced = (exported: number, dropped: number) => {
    const result = resultWith(
      other((each) => {
        each.usage = fakeUsage(exported, dropped);
      }),
    );
    const proof = result.proofs[1];
    if (proof) proof.spans = 200;
    return result;
  };
  expect(kinds(traced(1_000, 1))).toEqual([]);
  expect(kinds(traced(1_000, 2))).toEqual(['dropped-spans']);
  const uncounted = traced(1, 0);
  for (const { measurements } of uncounted.soloRounds) for (const each of measurements) each.usage = null;
  expect(kinds(uncounted)).toEqual(['unaccounted']);
  const unproven = resultWith();
  unproven.proofs.pop();
  expect(kinds(unproven)).toEqual(['unproven']);
});

test('the set-up: quick, not pinned, scaled frequency', () => {
  const result = resultWith();
  result.configuration.quick = true;
  result.pinning = { unpinned: 'there is one core only' };
  result.environment.frequencyGovernor = 'powersave';
  expect(kinds(result)).toEqual(['quick', 'unpinned', 'frequency-scaling']);
  result.environment.frequencyGovernor = 'performance';
  expect(kinds(result)).toEqual(['quick', 'unpinned']);
});

test('an invalid row, and an interval wider than its effect', () => {
  const broken = other((each) => {
    each.invalid = ['7 x status 500'];
  });
  const found = verdictsOf(resultWith(broken)).filter(({ kind }) => kind === 'invalid');
  expect(found.map(({ message }) => message)).toEqual([
    'Other is invalid, round 1: 7 x status 500',
    'Other is invalid, round 2: 7 x status 500',
  ]);
  const noisy = fakeResult(
    [900, 1_100, 1_000].map((latency) => [fakeMeasurement('base'), fakeMeasurement('other', latency)]),
  );
  expect(kinds(noisy)).toEqual(['within-noise']);
});
