import { max, mean, min } from 'simple-statistics';
import type { Result, SoloMeasurement } from '../results/schema.ts';
import type { Verdict } from '../results/verdict.ts';
import type { Usage } from '../server/probe.ts';
import { ONLY_TASK } from '../suite/schema.ts';
import { isSaturated, SATURATED_SHARE } from './consistency.ts';
import { isSignificant } from './duet.ts';
import { contains } from './interval.ts';
import { measurementsOf, throughput } from './solo.ts';
import { invalidityOf, type Row, type Summary, summarise } from './summary.ts';
import { type TaskResult, taskResults } from './tasks.ts';

/** More spans dropped than this, and the level did less work than it claims. */
const DROPPED_SHARE = 0.001;
/** What others may take of a core before it is worth a word; the ticks of /proc/stat are no finer. */
const OTHER_SHARE = 0.05;
const STEAL_SHARE = 0.01;
/** How far the baseline's throughput may move within a run. */
const DRIFT = 0.1;

/** All that speaks against the figures of a result: the whole run first, then task by task, row by row. */
export function verdictsOf(result: Result): Verdict[] {
  const ofRun = runFindings(result).map((finding) => ({ ...finding, task: null, scenario: null }));
  return [...ofRun, ...taskResults(result).flatMap(taskVerdicts)];
}

type Finding = Omit<Verdict, 'task' | 'scenario'>;

function runFindings(result: Result): Finding[] {
  return [...setUp(result), ...runtimes(result), ...disturbance(result), ...unproven(result)];
}

function taskVerdicts({ task, result }: TaskResult): Verdict[] {
  const summary = summarise(result);
  const ofTask = [
    ...mixedRuntimes(usagesOf(result)),
    ...drift(result),
    ...consistency(summary, result.configuration.connections),
    ...(summary.noiseFloor?.invalid ?? []).map((reason) => invalid(`The noise floor is invalid, ${reason}`)),
  ].map((finding) => ({ ...finding, scenario: null }));
  const ofRows = summary.rows.flatMap((row) =>
    rowFindings(result, summary, row).map((finding) => ({ ...finding, scenario: row.scenario })),
  );
  const isOnly = task.name === ONLY_TASK;
  return [...ofTask, ...ofRows].map((verdict) => ({
    ...verdict,
    task: isOnly ? null : task.name,
    message: isOnly ? verdict.message : `${task.title}: ${verdict.message}`,
  }));
}

function invalid(message: string): Finding {
  return { kind: 'invalid', message, remedy: 'Mend what failed, and measure again' };
}

/** What can be told before anything is measured. */
function setUp({ configuration, pinning, environment, soloRounds, duetForks }: Result): Finding[] {
  const found: Finding[] = [];
  if (configuration.quick) {
    found.push({ kind: 'quick', message: 'A quick run, not for publishing', remedy: 'Leave out --quick' });
  }
  if ('unpinned' in pinning) {
    const message = `Server and load tool share cores: ${pinning.unpinned}`;
    found.push({ kind: 'unpinned', message, remedy: 'Measure on Linux with two cores or more, pinned' });
  }
  const governor = environment.frequencyGovernor;
  if (governor !== null && governor !== 'performance') {
    const message = `The frequency of the cores is scaled (governor ${governor})`;
    found.push({ kind: 'frequency-scaling', message, remedy: 'cpupower frequency-set -g performance' });
  }
  const commands = [
    ...soloRounds.flatMap(({ measurements }) => measurements.map(({ command }) => command)),
    ...duetForks.flatMap(({ commands }) => Object.values(commands)),
  ];
  if (commands.some(isFixedRate)) {
    const message = 'The load tool sent at a fixed rate, before its clock starts, which hides queueing';
    found.push({ kind: 'fixed-rate', message, remedy: 'Take the rate out of its command' });
  }
  return found;
}

/** bombardier's -r and --rate, in whatever form it takes them, and those of oha (-q) and autocannon (-R). */
function isFixedRate(command: string[]): boolean {
  return command.some((word) => /^(-[rqR]\d*|--(rate|overallRate)(=.*)?)$/.test(word));
}

function usagesOf({ soloRounds, duetForks }: Result): Usage[] {
  const solo = soloRounds.flatMap(({ measurements }) => measurements.map(({ usage }) => usage));
  const duet = duetForks.flatMap(({ usage }) => [usage.baseline, usage.scenario]);
  return [...solo, ...duet].filter((usage) => usage !== null);
}

function runtimes(result: Result): Finding[] {
  const usages = usagesOf(result);
  const found: Finding[] = [];
  const mode = usages.find(({ runtime }) => runtime.mode !== 'production')?.runtime.mode;
  if (mode !== undefined) {
    const message = `A server ran in ${mode ?? 'no'} mode, not in production`;
    found.push({ kind: 'development-mode', message, remedy: 'Leave NODE_ENV=production in its environment' });
  }
  if (usages.some(({ runtime }) => runtime.isDebugBuild)) {
    const message = 'A server ran on a debug build of its runtime';
    found.push({ kind: 'debug-build', message, remedy: 'Install a release build' });
  }
  return found;
}

function mixedRuntimes(usages: Usage[]): Finding[] {
  const versions = new Set(usages.map(({ runtime }) => `${runtime.name} ${runtime.version}`));
  if (versions.size < 2) return [];
  const message = `The servers ran on different runtimes: ${[...versions].join(', ')}`;
  return [{ kind: 'mixed-runtimes', message, remedy: 'Compare rows of one runtime only' }];
}

/** Everybody else on the cores of server and load tool, in the worst of the measurements. */
function disturbance({ soloRounds, duetForks }: Result): Finding[] {
  const solo = soloRounds.flatMap(({ measurements }) =>
    measurements.flatMap(({ cores, cpuNs, toolCpuNs }) =>
      cores
        ? [
            { time: cores.server, ownNs: cpuNs, wallNs: cores.wallNs, of: "the server's core" },
            { time: cores.tool, ownNs: toolCpuNs, wallNs: cores.wallNs, of: "the load tool's cores" },
          ]
        : [],
    ),
  );
  const duet = duetForks.flatMap(({ cores, slices }) => {
    if (!cores) return [];
    const ownNs = slices.reduce((sum, { baseline, scenario }) => sum + baseline.cpuNs + scenario.cpuNs, 0);
    return [{ time: cores.server, ownNs, wallNs: cores.wallNs, of: "the servers' core" }];
  });
  const shares = [...solo, ...duet].map(({ time, ownNs, wallNs, of }) => ({
    of,
    other: ownNs === null ? 0 : (time.busyNs - ownNs) / wallNs,
    steal: time.stealNs / wallNs,
  }));
  const worst = (key: 'other' | 'steal') =>
    shares.reduce((a, b) => (b[key] > a[key] ? b : a), { of: '', other: 0, steal: 0 });
  const found: Finding[] = [];
  const other = worst('other');
  if (other.other > OTHER_SHARE) {
    const count = shares.filter((share) => share.other > OTHER_SHARE).length;
    found.push({
      kind: 'other-load',
      message: `Other processes took up to ${percent(other.other)} of ${other.of} (more than ${percent(OTHER_SHARE)} in ${count} of ${shares.length} readings)`,
      remedy: 'Stop what else runs, or measure elsewhere',
    });
  }
  const steal = worst('steal');
  if (steal.steal > STEAL_SHARE) {
    const message = `The hypervisor took up to ${percent(steal.steal)} of ${steal.of} (steal)`;
    found.push({ kind: 'steal', message, remedy: 'Measure on a machine of its own' });
  }
  return found;
}

/** How far the baseline's throughput moved from the slowest to the fastest round. */
function drift(result: Result): Finding[] {
  const own = measurementsOf(result, result.suite.baseline).filter(({ invalid }) => invalid.length === 0);
  if (own.length < 2) return [];
  const rates = own.map(({ load }) => throughput(load));
  const moved = max(rates) / min(rates) - 1;
  if (moved <= DRIFT) return [];
  const message = `The baseline's throughput moved by ${percent(moved)} between its rounds: the machine did not keep its speed`;
  return [
    { kind: 'drift', message, remedy: 'Trust the server CPU per request, or measure on a quieter machine' },
  ];
}

function unproven({ proofs, suite, soloRounds, duetForks }: Result): Finding[] {
  if (!suite.isInstrumentation || soloRounds.length + duetForks.length === 0) return [];
  const missing = suite.scenarios.filter(({ name }) => !proofs.some(({ scenario }) => scenario === name));
  if (missing.length === 0) return [];
  const message = `Nothing proves what was recorded by ${missing.map(({ title }) => title).join(', ')}`;
  return [{ kind: 'unproven', message, remedy: 'Declare its "telemetry" in the suite: docs/suites.md' }];
}

function consistency({ consistency }: Summary, connections: number): Finding[] {
  const astray = consistency?.rows.filter(({ agrees }) => !agrees) ?? [];
  if (astray.length === 0) return [];
  const figures = astray.map(
    ({ title, measuredUs, expectedUs }) => `${title} ${inMs(measuredUs)} against ${inMs(expectedUs)}`,
  );
  const message = `The change in ms is not ${connections} x the change of CPU per request: ${figures.join('; ')}`;
  return [{ kind: 'inconsistent', message, remedy: 'More rounds (--rounds), or a quieter machine' }];
}

function inMs(changeUs: number): string {
  const ms = Math.abs(changeUs / 1_000);
  return `${changeUs < 0 ? '-' : '+'}${ms < 100 ? ms.toPrecision(2) : ms.toFixed(0)} ms`;
}

function rowFindings(result: Result, summary: Summary, row: Row): Finding[] {
  const own = measurementsOf(result, row.scenario);
  return [
    ...invalidityOf(row).map((reason) => invalid(`${row.title} is invalid, ${reason}`)),
    ...spans(result, row, own),
    ...saturation(row, own, result),
    ...withinNoise(row, summary),
  ];
}

/** Spans dropped under load, and those that nobody counted. */
function spans({ duetForks, proofs }: Result, row: Row, own: SoloMeasurement[]): Finding[] {
  const proven = proofs.find(({ scenario }) => scenario === row.scenario);
  if (!proven || proven.spans === 0) return [];
  const duets = duetForks.filter(({ scenario }) => scenario === row.scenario);
  const usages = [...own.map(({ usage }) => usage), ...duets.map(({ usage }) => usage.scenario)];
  const counts = usages.flatMap((usage) => usage?.telemetry ?? []);
  if (counts.length < usages.length) {
    const message = `${row.title} does not tell how many spans it exported and dropped under load`;
    return [{ kind: 'unaccounted', message, remedy: 'Let it count them: docs/suites.md' }];
  }
  const total = (key: 'spansStarted' | 'spansDropped') => counts.reduce((sum, each) => sum + each[key], 0);
  const share = total('spansDropped') / total('spansStarted');
  if (!(share > DROPPED_SHARE)) return [];
  const message = `${row.title} dropped ${percent(share)} of its spans: it did less work than it claims`;
  return [{ kind: 'dropped-spans', message, remedy: 'A larger buffer, or an exporter that keeps up' }];
}

function saturation(row: Row, own: SoloMeasurement[], { pinning }: Result): Finding[] {
  const serverShare = row.solo.figures?.cpuShare;
  if (!row.solo.figures || serverShare === null || isSaturated(serverShare)) return [];
  const toolShare = toolShareOf(own, 'toolCores' in pinning ? pinning.toolCores.split(',').length : 0);
  const server = `The server of ${row.title} was busy for ${percent(serverShare as number)} of its core`;
  if (toolShare !== null && toolShare >= SATURATED_SHARE) {
    return [
      {
        kind: 'tool-bottleneck',
        message: `${server}, the load tool's cores for ${percent(toolShare)}: it was the bottleneck, and hides what the server costs`,
        remedy: 'Give the load tool more cores, or take a faster one (--tool)',
      },
    ];
  }
  const message = `${server}: its change in ms is waiting, not work`;
  return [
    { kind: 'unsaturated', message, remedy: 'More connections (--connections), or the CPU column alone' },
  ];
}

/** How busy the load tool's cores were, with itself or with others, 1 for full; null where that is not known. */
function toolShareOf(own: SoloMeasurement[], cores: number): number | null {
  const shares = own.map(({ cores: use, toolCpuNs, load }) => {
    if (use) return use.tool.busyNs / use.wallNs / cores;
    return toolCpuNs === null || cores === 0 ? Number.NaN : toolCpuNs / 1e9 / load.seconds / cores;
  });
  const share = mean(shares);
  return Number.isNaN(share) ? null : share;
}

function withinNoise({ title, duet, solo, isBaseline }: Row, { noiseFloorUs }: Summary): Finding[] {
  if (isBaseline) return [];
  const columns = [
    duet?.estimate && isSignificant(duet.estimate, noiseFloorUs) === false ? 'CPU per request' : undefined,
    solo.figures?.change?.intervalUs && contains(solo.figures.change.intervalUs, 0) ? 'latency' : undefined,
  ].filter((column) => column !== undefined);
  if (columns.length === 0) return [];
  const message = `The interval of ${title} is wider than its effect (${columns.join(', ')})`;
  return [{ kind: 'within-noise', message, remedy: 'More --forks and --rounds, or --precision' }];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}
