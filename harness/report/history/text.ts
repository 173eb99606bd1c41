import type { Direction } from '../../analysis/direction.ts';
import type { History, HistoryLine, HistoryPoint } from '../../analysis/history.ts';
import { Problem } from '../../words/errors.ts';
import { asJson } from '../formats/json.ts';
import { sectionsText, type TextOptions } from '../formats/list.ts';
import { historyAnswer } from './answer.ts';
import { historyViewOf } from './view.ts';
import { HISTORY_WORDS } from './words.ts';

/** Returns several results of one suite as they are printed to stdout. @throws Problem */
export function historyText(history: History, options: TextOptions): string {
  if (options.format === 'json') return asJson(historyData(history));
  if (options.format === 'github-action-benchmark')
    throw new Problem(
      'That action takes one result at a time, and keeps those of before itself',
      'Give --format github-action-benchmark one file',
    );
  const { results, marks, changes, method } = historyViewOf(history);
  const brief = [results, marks, changes];
  const sections = options.format === 'full' ? [...brief, method] : brief;
  return sectionsText(sections, [historyAnswer(history)], options);
}

/** Returns what programs read of a history. */
function historyData({ runs, lines, marks }: History): object {
  return {
    suite: runs.at(-1)?.header.suite.name,
    results: runs.map(({ header: { startedAt, method, tool, environment } }) => {
      return { startedAt, method, tool, environment };
    }),
    lines: lines.map((line) => ({
      label: line.label,
      task: line.points.at(-1)?.row.task,
      scenario: line.points.at(-1)?.row.scenario,
      points: line.points.map(pointData),
      change: changeData(line.change),
    })),
    marks: marks.map((mark) => ({
      ...mark,
      lines: [...mark.lines].map(([{ label }, isBroken]) => ({ label, isBroken })),
    })),
  };
}

/** What programs read of a direction. */
const DIRECTION_NAMES: Record<Direction, string> = {
  ...HISTORY_WORDS,
  insignificant: 'insignificant',
  unclear: 'unclear',
};

function changeData(change: HistoryLine['change']): object {
  if (change.missing !== null) return change;
  const { first, last, direction } = change;
  return { ...change, first: first.at, last: last.at, direction: DIRECTION_NAMES[direction] };
}

function pointData({ at, cost, multiple, isStart }: HistoryPoint): object {
  const { value, low, high, n } = cost;
  return { at, isStart, multiple, cpuUs: { value, low, high, n } };
}
