import type { MeasuredRun } from '../rows.ts';
import { findBursts } from './bursts.ts';
import { findBusyMachine } from './busy-machine.ts';
import { findCpuQuota } from './cpu-quota.ts';
import { findDevelopmentMode } from './development-mode.ts';
import { findLostRecords } from './dropped-spans.ts';
import { findPreloading } from './environment.ts';
import type { Find, Finding } from './finding.ts';
import { findGrowth } from './grows.ts';
import { findImprecise } from './imprecise.ts';
import { findInvalidRows } from './invalid.ts';
import { findIdleServers } from './load-tool.ts';
import { findLostRequests } from './lost-requests.ts';
import { findMemoryLimit } from './memory-limit.ts';
import { findMixedRuntimes } from './mixed-runtimes.ts';
import { findNotSteady } from './not-steady.ts';
import { findOddSpeed } from './odd-speed.ts';
import { findDeferredWork } from './owed.ts';
import { findQuick } from './quick.ts';
import { findRatesNotHeld } from './rate-not-held.ts';
import { findStopped } from './stopped.ts';
import { findUnpinned } from './unpinned.ts';
import { findUnproven } from './unproven.ts';
import { findWakeUps } from './wake-ups.ts';

/**
 * All kinds of warnings, those that matter most first. To add one, add a file of its name, an entry
 * here, a test that causes it, and a row in docs/reading.md.
 */
export const WARNINGS = {
  stopped: findStopped,
  invalid: findInvalidRows,
  // The limits of a container make most of the others come about.
  'cpu-quota': findCpuQuota,
  'memory-limit': findMemoryLimit,
  'lost-requests': findLostRequests,
  imprecise: findImprecise,
  unproven: findUnproven,
  environment: findPreloading,
  'development-mode': findDevelopmentMode,
  owed: findDeferredWork,
  'dropped-spans': findLostRecords,
  grows: findGrowth,
  'not-steady': findNotSteady,
  'odd-speed': findOddSpeed,
  bursts: findBursts,
  quick: findQuick,
  'rate-not-held': findRatesNotHeld,
  // From here on it is about the machine and its runtimes.
  'busy-machine': findBusyMachine,
  'load-tool': findIdleServers,
  'wake-ups': findWakeUps,
  unpinned: findUnpinned,
  'mixed-runtimes': findMixedRuntimes,
} satisfies Record<string, Find>;

export type WarningKind = keyof typeof WARNINGS;

/** A finding with its kind, by which code decides what to do about it. */
export interface Warning extends Finding {
  kind: WarningKind;
}

/** Returns all that speaks against the figures of a run, in the order of the list. */
export function warningsOf(run: MeasuredRun): Warning[] {
  const kinds = Object.keys(WARNINGS) as WarningKind[];
  return kinds.flatMap((kind) => WARNINGS[kind](run).map((found) => ({ kind, ...found })));
}

/** Returns the warnings about a row. */
export function warningsAbout(
  { warnings }: { warnings: Warning[] },
  task: string,
  scenario: string,
): Warning[] {
  return warnings.filter((warning) => warning.task === task && warning.scenario === scenario);
}

/** Returns whether a warning is about the row: then tables mark it. */
export function isMarked(
  run: { warnings: Warning[] },
  { task, scenario }: { task: string; scenario: string },
): boolean {
  return warningsAbout(run, task, scenario).length > 0;
}
