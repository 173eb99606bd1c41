import { sum } from 'simple-statistics';
import { mismatches } from '../result/mismatches.ts';
import type { Result, Task } from '../result/schema.ts';
import type { Run } from './analysis.ts';
import { idleCores } from './idle-cores.ts';
import type { TaskAnalysis } from './rows.ts';

/**
 * Returns what differs between two runs that they must share for their change to come from what is
 * compared: each once, and nothing if they may be compared.
 */
export function whyIncomparable(old: Run, current: Run): string[] {
  const found = [
    ...mismatches('', settingOf(old), settingOf(current)),
    ...mismatchesByName(old.tasks, current.tasks, loadOf),
    ...mismatchesByName(old.header.suite.scenarios, current.header.suite.scenarios, softwareOf),
  ];
  return [...new Set(found)];
}

/** What differs between those of the same name: one that only one run has is not compared. */
function mismatchesByName<Named extends { name: string }>(
  old: Named[],
  current: Named[],
  traitsOf: (named: Named) => object,
): string[] {
  return old.flatMap((one) =>
    current
      .filter(({ name }) => name === one.name)
      .flatMap((other) => mismatches('', traitsOf(one), traitsOf(other))),
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

function softwareOf(scenario: Result['suite']['scenarios'][number]): object {
  return {
    runtime: scenario.runtime,
    package: scenario.packages,
    export: scenario.export,
    receiver: scenario.receiver,
  };
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
