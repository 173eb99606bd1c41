import type { Result } from '../results/schema.ts';
import { type Summary, summarise } from '../stats/summary.ts';
import { taskResults } from '../stats/tasks.ts';
import { ONLY_TASK } from '../suite/schema.ts';
import { oneLine } from './printable.ts';
import { sparkline } from './sparkline.ts';
import { asMsChange, asUsChange } from './units.ts';

/** A result and the name of its file. */
export interface Entry {
  file: string;
  result: Result;
}

/** How many results a line of blocks goes back. */
const MOST_RESULTS = 60;

/**
 * All results, newest last, and each scenario's cost over time: of those of the same suite on the same machine, since
 * others have nothing to do with each other.
 */
export function historyReport(entries: Entry[]): string {
  const sorted = entries.toSorted((a, b) => Date.parse(a.result.startedAt) - Date.parse(b.result.startedAt));
  const groups = Map.groupBy(sorted, ({ result: { suite, environment } }) =>
    JSON.stringify([suite.name, environment.cpu, environment.cores]),
  );
  const courses = [...groups.values()].map(course).filter((each) => each !== '');
  return [sorted.map(listed).join('\n'), ...courses].join('\n\n');
}

function listed({ file, result }: Entry): string {
  const { startedAt, suite, configuration, tool, environment, stoppedBy, endedAt } = result;
  const remarks = [
    configuration.quick && 'quick',
    stoppedBy !== null && 'stopped',
    endedAt === null && 'not ended',
    environment.gitRevision,
  ];
  const time = startedAt.slice(0, 16).replace('T', ' ');
  return [time, suite.name, tool.name, environment.cpu, ...remarks.filter(Boolean), file]
    .map(String)
    .map(oneLine)
    .join('  ');
}

/** One line for each scenario: its cost from the oldest to the newest. Empty where there is but one result. */
function course(entries: Entry[]): string {
  const results = entries.slice(-MOST_RESULTS).map(({ result }) => costs(result));
  const [newest] = entries.slice(-1) as [Entry];
  const lines = [...(results.at(-1) ?? new Map<string, Cost>())].flatMap(([key, { title, print }]) => {
    const values = results.map((each) => each.get(key)?.us);
    const known = values.filter((value) => value !== undefined);
    if (known.length < 2) return [];
    return `  ${sparkline(values)}  ${oneLine(title)}: ${print(known[0] as number)} to ${print(known.at(-1) as number)}`;
  });
  if (lines.length === 0) return '';
  const { suite, environment } = newest.result;
  return [
    `${oneLine(`${suite.title} on ${environment.cpu}`)}, cost of a request over the baseline:`,
    ...lines,
  ].join('\n');
}

interface Cost {
  title: string;
  us: number;
  print: (us: number) => string;
}

/** CPU per request where there are duets, change of latency where not, by task, scenario and kind. */
function costs(result: Result): Map<string, Cost> {
  const all = taskResults(result).flatMap(({ task, result }) => {
    const summary: Summary = summarise(result);
    return summary.rows.flatMap(({ scenario, title, duet, solo }): [string, Cost][] => {
      const cpuUs = duet?.estimate?.changeUs;
      const us = cpuUs ?? solo.figures?.change?.meanUs;
      if (us === undefined || !Number.isFinite(us)) return [];
      const key = JSON.stringify([task.name, scenario, cpuUs === undefined]);
      const ofTask = task.name === ONLY_TASK ? title : `${task.name}, ${title}`;
      return [[key, { title: ofTask, us, print: cpuUs === undefined ? asMsChange : asUsChange }]];
    });
  });
  return new Map(all);
}
