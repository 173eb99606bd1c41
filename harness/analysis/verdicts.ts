import type { Result } from '../result/schema.ts';
import { otherLoad, steal } from './disturbance.ts';
import type { Find, Finding } from './finding.ts';
import type { TaskAnalysis, Verdict } from './model.ts';
import { inconsistent, invalid, stopped } from './outcome.ts';
import { toolBottleneck, toolBottleneckInDuets, unsaturated } from './saturation.ts';
import {
  coresAsleep,
  debugBuild,
  developmentMode,
  frequencyScaling,
  mixedRuntimes,
  quick,
  unpinned,
} from './setting.ts';
import { oftenUnsteady, sometimesUnsteady, trend } from './steadiness.ts';
import { droppedSpans, unaccounted, unproven } from './telemetry.ts';

/** One kind of thing that makes figures wrong or weak. */
interface Entry {
  kind: string;
  /** Whether it changes how the figures are to be read; the table then shows it. */
  changesReading: boolean;
  find: Find;
}

/** Every kind there is, those that matter most first: a verdict is an entry here, and a test that causes it. */
export const VERDICTS: Entry[] = [
  { kind: 'stopped', changesReading: true, find: stopped },
  { kind: 'invalid', changesReading: true, find: invalid },
  { kind: 'dropped-spans', changesReading: true, find: droppedSpans },
  { kind: 'inconsistent', changesReading: true, find: inconsistent },
  { kind: 'tool-bottleneck', changesReading: true, find: toolBottleneck },
  { kind: 'unsaturated', changesReading: true, find: unsaturated },
  { kind: 'cores-asleep', changesReading: true, find: coresAsleep },
  { kind: 'unpinned', changesReading: true, find: unpinned },
  { kind: 'not-steady', changesReading: true, find: oftenUnsteady },
  { kind: 'quick', changesReading: true, find: quick },
  { kind: 'development-mode', changesReading: true, find: developmentMode },
  { kind: 'debug-build', changesReading: true, find: debugBuild },
  { kind: 'mixed-runtimes', changesReading: true, find: mixedRuntimes },
  { kind: 'tool-bottleneck', changesReading: false, find: toolBottleneckInDuets },
  { kind: 'not-steady', changesReading: false, find: sometimesUnsteady },
  { kind: 'trend', changesReading: false, find: trend },
  { kind: 'frequency-scaling', changesReading: false, find: frequencyScaling },
  { kind: 'other-load', changesReading: false, find: otherLoad },
  { kind: 'steal', changesReading: false, find: steal },
  { kind: 'unproven', changesReading: false, find: unproven },
  { kind: 'unaccounted', changesReading: false, find: unaccounted },
];

/** All that speaks against the figures of a result: what changes their reading first, each in the order of the list. */
export function verdictsOf(result: Result, tasks: TaskAnalysis[]): Verdict[] {
  const all = VERDICTS.flatMap(({ kind, changesReading, find }) =>
    find(result, tasks).map((finding) => ({ kind, ...named(finding, tasks), changesReading })),
  );
  return all.sort((a, b) => Number(b.changesReading) - Number(a.changesReading));
}

/** With its task before the message, if there are several. */
function named(finding: Finding, tasks: TaskAnalysis[]): Finding {
  const task = tasks.find(({ name }) => name === finding.task);
  return task && tasks.length > 1 ? { ...finding, message: `${task.title}: ${finding.message}` } : finding;
}
