import type { Pair, Usage } from '../result/schema.ts';
import { inRun, inTasks, mention, warn } from './finding.ts';

/** What the machine and the runtimes are like. */

export const coresAsleep = inRun(
  ({ keepAwake, configuration }) =>
    'missing' in keepAwake &&
    configuration.duetSlices > 0 &&
    warn(
      `Idle cores could sleep (${keepAwake.missing}). On a virtual machine costs then read up to a fifth too high`,
      'Run as root, or add a udev rule for a group of yours: KERNEL=="cpu_dma_latency", MODE="0660", GROUP="bench"',
    ),
);

export const unpinned = inRun(
  ({ pinning }) =>
    'missing' in pinning &&
    warn(`Server and load tool share cores: ${pinning.missing}`, 'Measure on Linux with two cores or more'),
);

export const frequencyScaling = inRun(
  ({ environment: { frequencyGovernor: governor } }) =>
    governor !== null &&
    governor !== 'performance' &&
    mention(`The frequency of the cores is scaled (governor ${governor})`, 'Run cpupower frequency-set -g performance'),
);

export const quick = inRun(
  ({ configuration }) =>
    configuration.quick && warn('This was a quick run', 'Measure without --quick before you publish'),
);

export const developmentMode = inRun(({ pairs }) => {
  const found = runtimesOf(pairs).find(({ mode }) => mode !== 'production');
  const mode = found?.mode ?? 'not set';
  return found && warn(`A server ran with NODE_ENV ${mode}, not production`, 'Set NODE_ENV=production');
});

export const mixedRuntimes = inTasks((task, { pairs }) => {
  const runtimes = runtimesOf(pairs.filter((pair) => pair.task === task.name));
  const found = new Set(runtimes.map(({ name, version }) => `${name} ${version}`));
  const isMixed = found.size > 1;
  return isMixed && warn(`The servers ran on ${[...found].join(' and ')}`, 'Compare only rows of the same runtime');
});

function runtimesOf(pairs: Pair[]): Usage['runtime'][] {
  return pairs.flatMap(({ usage }) => [usage.baseline, usage.scenario].flatMap((each) => each?.runtime ?? []));
}
