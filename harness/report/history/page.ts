import { html } from 'hono/html';
import type { Run } from '../../analysis/analysis.ts';
import type { History } from '../../analysis/history.ts';
import { coresText, processorText } from '../../analysis/machine-text.ts';
import { counted } from '../../words/text.ts';
import type { Section } from '../cells.ts';
import { drawFigure, drawFold, drawPage, drawSection } from '../page-parts.ts';
import { historyPicture } from '../picture/history-picture.ts';
import type { Markup } from '../picture/shapes.ts';
import { historyAnswer } from './answer.ts';
import { dateOf } from './labels.ts';
import { historyViewOf } from './view.ts';

const CAPTION =
  "Dot: all that a request takes of CPU, as a multiple of the baseline's; in µs, a slow hour would " +
  'look like a dear commit. Whisker: 95 % interval. Results stand in the order of time, equally ' +
  'far apart. In all panels the same height is the same share of a request; each has its own ' +
  "middle. Dashed: what follows can't be compared with what is before. Numbers are explained below.";

const MOST_OPEN_MARKS = 5;

/** Returns several results of one suite as one page: what changed, its picture and its table. */
export function historyPage(history: History): string {
  const { runs, lines, marks } = history;
  const view = historyViewOf(history);
  return drawPage({
    heading: runs.at(-1)?.header.suite.title ?? '',
    subject: `${counted(runs.length, 'result')} of ${counted(lines.length, 'row')}`,
    circumstances: `${machinesText(runs)}. Measured ${periodText(runs)}.`,
    answer: historyAnswer(history),
    body: html`${drawFigure((layout) => historyPicture(history, layout), CAPTION)}
${marks.length > 0 && drawMarks(view.marks)}
${drawSection(view.changes)}
${lines.length > 0 && drawFold('All results', drawSection(view.results))}
${drawFold('How each was measured', drawSection(view.method))}`,
  });
}

/** Marks stand open if there are few. */
function drawMarks(marks: Section): Markup {
  const isOpen = (marks.list?.length ?? 0) <= MOST_OPEN_MARKS;
  return drawFold('Where lines break, or software changed', drawSection(marks), isOpen);
}

function machinesText(runs: readonly Run[]): string {
  const texts = runs.map(
    ({ header: { environment } }) => `${processorText(environment)}, ${coresText(environment)}`,
  );
  return [...new Set(texts)].join('; ');
}

function periodText(runs: readonly Run[]): string {
  const dates = new Set(runs.map(dateOf));
  const [first = ''] = dates;
  const last = [...dates].at(-1);
  return dates.size === 1 ? first : `from ${first} to ${last}`;
}
