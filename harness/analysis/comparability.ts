import { sum } from 'simple-statistics';
import { mismatches } from '../result/mismatches.ts';
import type { Result, Task } from '../result/schema.ts';
import type { Run } from './analysis.ts';
import { idleCores } from './idle-cores.ts';
import type { TaskAnalysis } from './rows.ts';

type Scenario = Result['suite']['scenarios'][number];

/**
 * What two runs differ in. `setting`: machine, method, load tool or suite. `load`: what a task is
 * sent, or its baseline. `telemetry`: where a scenario sends its telemetry. `software`: the runtime
 * or the packages of a scenario.
 */
export type DifferenceKind = 'setting' | 'load' | 'telemetry' | 'software';

/** One thing in which two runs differ. */
export interface RunDifference {
  kind: DifferenceKind;
  /** The task or the scenario that it is about; null if it is about all. */
  about: string | null;
  /** `machine.cores was 2, and is 4`. */
  text: string;
}

/**
 * Returns what differs between two runs that they must share for their change to come from what is
 * compared: each once, and nothing if they may be compared.
 */
export function whyIncomparable(old: Run, current: Run): string[] {
  return [...new Set(differencesBetween(old, current).map(({ text }) => text))];
}

/** Returns all in which two runs differ. What only one of them has is not compared. */
export function differencesBetween(old: Run, current: Run): RunDifference[] {
  const [before, now] = [old.header.suite.scenarios, current.header.suite.scenarios];
  const settings = mismatches('', settingOf(old), settingOf(current));
  return [
    ...settings.map((text) => ({ kind: 'setting' as const, about: null, text })),
    ...differencesByName('load', old.tasks, current.tasks, loadOf),
    ...differencesByName('software', before, now, softwareOf),
    ...differencesByName('telemetry', before, now, telemetryOf),
  ];
}

/** What differs between those of the same name. */
function differencesByName<Named extends { name: string }>(
  kind: DifferenceKind,
  old: Named[],
  current: Named[],
  traitsOf: (named: Named) => object,
): RunDifference[] {
  return old.flatMap((one) =>
    current
      .filter(({ name }) => name === one.name)
      .flatMap((other) => mismatches('', traitsOf(one), traitsOf(other)))
      .map((text) => ({ kind, about: one.name, text })),
  );
}

function settingOf({ header }: Run): object {
  const { cpu, cores, memoryBytes, kernel, frequencyGovernor: governor } = header.environment;
  const { quotaCores = null, cores: allowed = null } = header.environment.limits ?? {};
  return {
    'method of tracetax': header.method ?? 1,
    machine: { cpu, cores, gib: Math.round(memoryBytes / 1024 ** 3), kernel, governor },
    // Memory that was enough changes nothing.
    container: { quotaCores, cores: allowed },
    // Costs read higher if they sleep.
    'idle cores': idleCores(header),
    isPinned: !('missing' in header.pinning),
    'load tool': header.tool,
    'load tool at steady rates': header.toolAtRates ?? null,
    suite: header.suite.name,
  };
}

function loadOf({ name, baseline, connections, rate, rateShare, exchanges }: TaskAnalysis): object {
  return {
    [name]: {
      baseline: baseline.scenario,
      connections,
      rate: rateShare ?? rate,
      request: requestsOf(exchanges),
    },
  };
}

function softwareOf({ runtime, packages }: Scenario): object {
  return { runtime, package: packages };
}

function telemetryOf({ export: mode, receiver }: Scenario): object {
  return { export: mode, receiver };
}

/**
 * Returns what is sent and expected, and the share of each, in an order of its own: a mix is sent
 * at random.
 */
export function requestsOf(exchanges: Task['exchanges']): object[] {
  const all = sum(exchanges.map(({ weight }) => weight));
  const sent = exchanges.map(({ weight, ...exchange }) =>
    JSON.stringify({ ...exchange, share: weight / all }),
  );
  return sent.sort().map((each) => JSON.parse(each));
}
