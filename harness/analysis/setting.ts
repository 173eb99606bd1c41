import type { Pair, Usage } from '../result/schema.ts';
import { inRun, inTasks, pairsOf, rowsOf, say } from './finding.ts';

/** What the machine and the runtimes are like. */

export const coresAsleep = inRun(
  ({ keepAwake, configuration }) =>
    'missing' in keepAwake &&
    configuration.duetSlices > 0 &&
    say(
      `Idle cores could sleep (${keepAwake.missing}): on a virtual machine costs then read up to a fifth too high`,
      'Run as root, or add a udev rule for a group of yours: KERNEL=="cpu_dma_latency", MODE="0660", GROUP="bench"',
    ),
);

export const unpinned = inRun(
  ({ pinning }) =>
    'missing' in pinning &&
    say(`Server and load tool share cores: ${pinning.missing}`, 'Measure on Linux with two cores or more, pinned'),
);

export const frequencyScaling = inRun(
  ({ environment: { frequencyGovernor: governor } }) =>
    governor !== null &&
    governor !== 'performance' &&
    say(`The frequency of the cores is scaled (governor ${governor})`, 'Run cpupower frequency-set -g performance'),
);

export const quick = inRun(
  ({ configuration }) =>
    configuration.quick && say('This was a quick run, not for publishing', 'Measure without --quick'),
);

export const developmentMode = inRun(({ pairs }) => {
  const found = runtimesOf(pairs).find(({ mode }) => mode !== 'production');
  const mode = found?.mode ?? 'not set';
  return found && say(`A server ran with NODE_ENV ${mode}, not production`, 'Set NODE_ENV=production');
});

export const debugBuild = inRun(
  ({ pairs }) =>
    runtimesOf(pairs).some(({ isDebugBuild }) => isDebugBuild) &&
    say('A server ran on a debug build of its runtime', 'Install a release build'),
);

export const mixedRuntimes = inTasks((task, result) => {
  const pairs = rowsOf(task).flatMap(({ scenario }) => pairsOf(result, task, scenario));
  const found = new Set(runtimesOf(pairs).map(({ name, version }) => `${name} ${version}`));
  const isMixed = found.size > 1;
  return isMixed && say(`The servers ran on ${[...found].join(' and ')}`, 'Compare only rows of the same runtime');
});

function runtimesOf(pairs: Pair[]): Usage['runtime'][] {
  return pairs.flatMap(({ usage: { baseline, scenario } }) =>
    [baseline, scenario].flatMap((usage) => (usage ? [usage.runtime] : [])),
  );
}
