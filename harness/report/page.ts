import { html } from 'hono/html';
import type { Run } from '../analysis/analysis.ts';
import { coresText, processorText } from '../analysis/machine-text.ts';
import { rowsWithNoiseFloor } from '../analysis/rows.ts';
import { counted } from '../words/text.ts';
import { answerOf } from './answer.ts';
import { drawFigure, drawFold, drawPage, drawSection } from './page-parts.ts';
import { latencyPicture } from './picture/latency-picture.ts';
import { NARROW } from './picture/layout.ts';
import { CAPTION, picture } from './picture/picture.ts';
import type { Markup } from './picture/shapes.ts';
import { timelinePicture } from './picture/timeline-picture.ts';
import { isDrawn } from './tables.ts';
import { type Detail, type DetailKind, viewOf } from './view.ts';

const TIMELINE_CAPTION =
  'Dots: slices of single pairs, in the order of time. Line: medians. A cost that is steady is level; ' +
  'one that rises to the right grows with the requests served.';
const LATENCY_CAPTION = 'Dots: half, nine of ten, and 99 of 100 requests took no longer.';

/** Returns all that is told of a run as one page: the answer, its picture and its table. */
export function page(run: Run): string {
  const { suite, environment, startedAt } = run.header;
  const { kernel } = environment;
  const { opening, details } = viewOf(run);
  const machine = `${processorText(environment)}, ${coresText(environment)}, ${kernel}`;
  return drawPage({
    heading: suite.title,
    subject: subjectOf(run),
    circumstances: `${machine}. Measured ${startedAt.slice(0, 10)}.`,
    answer: answerOf(run),
    body: html`${drawCosts(run)}
${drawSection(opening)}
${details.map((detail) => drawDetail(detail, run))}
${drawTimeline(run)}`,
  });
}

/** Returns what was compared with what. */
function subjectOf({ tasks }: Run): string {
  const rows = tasks.reduce((count, task) => count + task.rows.length, 0);
  const baselines = [...new Set(tasks.map(({ baseline }) => baseline.title))];
  const [baseline = ''] = baselines;
  const against = baselines.length === 1 ? baseline : counted(baselines.length, 'baseline');
  return `${counted(rows, 'row')} against ${against}`;
}

function drawCosts(run: Run): Markup | string {
  if (!run.tasks.flatMap(rowsWithNoiseFloor).some(isDrawn)) return '';
  return drawFigure(
    (layout) => picture(run, layout === NARROW ? 'narrow-page' : 'page'),
    CAPTION.join(' '),
  );
}

/** What a section has beside its tables. */
const PICTURES: Partial<Record<DetailKind, (run: Run) => Markup | string>> = {
  load: (run) => drawFigure((layout) => latencyPicture(run, layout), LATENCY_CAPTION),
};

/** Warnings stand open if there are any. */
function drawDetail({ kind, heading, ...body }: Detail, run: Run): Markup {
  const isOpen = kind === 'warnings' && run.warnings.length > 0;
  return drawFold(heading, html`${PICTURES[kind]?.(run)}${drawSection(body)}`, isOpen);
}

function drawTimeline(run: Run): Markup | string {
  const drawn = drawFigure((layout) => timelinePicture(run, layout), TIMELINE_CAPTION);
  return drawn && drawFold('Slice by slice', drawn);
}
