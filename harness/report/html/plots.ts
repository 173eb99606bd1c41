import type { TopLevelSpec } from 'vega-lite';
import type { DuetSlice, Result } from '../../results/schema.ts';
import type { Interval } from '../../stats/interval.ts';
import { type Summary, summarise } from '../../stats/summary.ts';
import { taskResults } from '../../stats/tasks.ts';
import { asMs, asMsChange, asUs } from '../units.ts';
import { shortened } from './escape.ts';
import { type Dot, type DotRow, dotSpec, type Point, panelSpec, type Reference } from './specs.ts';
import { drawn, standAlone } from './svg.ts';

export interface Plot {
  name: 'cpu-per-request' | 'change-per-request' | 'slices' | 'rounds' | 'latency';
  title: string;
  /** How it is to be read. */
  caption: string;
  svg: string;
}

/** A plot before it is drawn; its figures in words are what a screen reader says. */
type Sketch = Omit<Plot, 'svg'> & { spec: TopLevelSpec; words: string };

/** Of raw values on a whole page, at some 200 bytes each. */
const MOST_POINTS = 4_000;

/** Each plot as a file of its own, by a name that is safe for a file: with its task's where there are several. */
export async function plotSvgs(result: Result): Promise<Record<string, string>> {
  const tasks = taskResults(result);
  const files = tasks.map(async ({ task, result }, index) => {
    const prefix = tasks.length > 1 ? `${index + 1}-${task.name.replace(/[^\w-]+/g, '_').slice(0, 60)}-` : '';
    const plots = await plotsOf(result, summarise(result), tasks.length);
    return plots.map(({ name, svg }) => [prefix + name, standAlone(svg)] as const);
  });
  return Object.fromEntries((await Promise.all(files)).flat());
}

/** The plots of one task for which there are figures, on a page with so many tasks. */
export async function plotsOf(result: Result, summary: Summary, tasks: number): Promise<Plot[]> {
  const most = Math.max(50, Math.floor(MOST_POINTS / 2 / tasks));
  const sketches = [
    cpu(summary),
    change(result, summary),
    slices(result, most),
    rounds(result, most),
    latency(summary),
  ];
  const draw = async ({ spec, words, ...plot }: Sketch) => ({
    ...plot,
    svg: await drawn(spec, `${plot.title}: ${words}`),
  });
  return Promise.all(sketches.filter((sketch) => sketch !== undefined).map(draw));
}

function cpu({ rows, noiseFloorUs, baselineUs = Number.NaN }: Summary): Sketch | undefined {
  const dots = rows.map(({ title, isBaseline, duet }) => {
    const { ratio, ratioInterval } = duet?.estimate ?? { ratio: isBaseline ? 1 : Number.NaN };
    return dotRow(title, asUs(ratio * baselineUs), [dot(ratio, ratioInterval, baselineUs)]);
  });
  const caption = 'From duets, with 95 % intervals. Line: the baseline; shaded: the noise floor around it.';
  const line = { value: baselineUs, around: noiseFloorUs };
  return dotSketch('cpu-per-request', 'Server CPU per request', caption, dots, 'µs per request', line);
}

function change({ configuration: { connections } }: Result, { rows }: Summary): Sketch | undefined {
  const dots = rows.flatMap(({ title, solo: { figures } }) => {
    const { meanUs, intervalUs } = figures?.change ?? { meanUs: Number.NaN };
    return dotRow(title, asMsChange(meanUs), [dot(meanUs, intervalUs, 1e-3)]);
  });
  const caption = `Mean latency less the baseline's at ${connections} connections, with 95 % intervals. Line: no change.`;
  const line = { value: 0, around: 0 };
  return dotSketch('change-per-request', 'Change per request', caption, dots, 'ms per request', line);
}

function latency({ rows }: Summary): Sketch | undefined {
  const dots = rows.map(({ title, solo: { figures } }) => {
    const { p50, p95, p99 } = figures?.latencyUs ?? {};
    const known = Object.entries({ p50, p95, p99 }).map(([name, us]) => ({
      ...dot(us ?? Number.NaN, undefined, 1e-3),
      name,
    }));
    return dotRow(title, p99 ? `p99 ${asMs(p99)}` : '', known);
  });
  return dotSketch('latency', 'Latency percentiles', "Medians of the rounds' percentiles.", dots, 'ms');
}

function slices({ suite, duetForks }: Result, most: number): Sketch | undefined {
  const points = suite.scenarios.flatMap(({ name, title }, index) => {
    const panel = panelOf(index, name === suite.baseline ? `Noise floor: ${title}` : title);
    const own = duetForks.filter(({ scenario, invalid }) => scenario === name && invalid.length === 0);
    return own.flatMap(({ slices }, fork) =>
      // Side by side within their fork's place, in the order of measuring.
      slices.map((slice, at) => ({
        panel,
        order: fork + 0.7 + (0.6 * (at + 0.5)) / slices.length,
        value: ratioOf(slice),
      })),
    );
  });
  const caption = "CPU per request of each slice, as a multiple of the baseline's in that slice.";
  return panelSketch('slices', 'Slices of the duets', caption, points, most, 'pair of fresh servers');
}

function rounds({ suite, soloRounds }: Result, most: number): Sketch | undefined {
  const points = suite.scenarios.flatMap(({ name, title }, index) =>
    soloRounds.flatMap(({ measurements }, round) =>
      measurements
        .filter(({ scenario, invalid }) => scenario === name && invalid.length === 0)
        .map(({ load }) => ({
          panel: panelOf(index, title),
          order: round + 1,
          value: (load.latencyUs?.mean ?? Number.NaN) / 1e3,
        })),
    ),
  );
  return panelSketch('rounds', 'Solo rounds', 'Mean latency in ms of each round.', points, most, 'round');
}

type Naming = [name: Plot['name'], title: string, caption: string];

function dotSketch(
  ...[name, title, caption, all, unit, line]: [...Naming, DotRow[], string, Reference?]
): Sketch | undefined {
  const rows = all.filter(({ dots }) => dots.length > 0);
  const words = rows.map(({ label, text }) => `${label} ${text}`).join('; ');
  return rows.length > 0 ? { name, title, caption, spec: dotSpec(rows, unit, line), words } : undefined;
}

/** Evenly thinned out where there are more values than the page can carry. */
function panelSketch(
  ...[name, title, caption, all, most, order]: [...Naming, Point[], number, string]
): Sketch | undefined {
  const valid = all.filter(({ value }) => Number.isFinite(value));
  const step = Math.ceil(valid.length / most);
  const points = valid.filter((_, index) => index % step === 0);
  if (points.length === 0) return undefined;
  const part = step > 1 ? ` One in ${step} of ${valid.length} values is shown.` : '';
  const words = `${points.length} measured values`;
  return {
    name,
    title,
    caption: `${caption} Each panel has its own scale.${part}`,
    spec: panelSpec(points, order),
    words,
  };
}

function dotRow(title: string, text: string, dots: Dot[]): DotRow {
  return { label: shortened(title), text, dots: dots.filter(({ value }) => Number.isFinite(value)) };
}

function dot(value: number, interval: Interval | undefined, factor: number): Dot {
  const ends = interval && Number.isFinite(interval.low + interval.high) ? interval : undefined;
  return {
    name: '',
    value: value * factor,
    low: ends ? ends.low * factor : null,
    high: ends ? ends.high * factor : null,
  };
}

/** Numbered: two scenarios of one title stay two panels. */
function panelOf(index: number, title: string): string {
  return `${index + 1}. ${shortened(title)}`;
}

function ratioOf({ baseline, scenario }: DuetSlice): number {
  return scenario.cpuNs / scenario.load.requests / (baseline.cpuNs / baseline.load.requests);
}
