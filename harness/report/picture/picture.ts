import { html } from 'hono/html';
import { sum } from 'simple-statistics';
import type { Run } from '../../analysis/analysis.ts';
import type { TaskAnalysis } from '../../analysis/rows.ts';
import { printable } from '../../words/text.ts';
import { MARK } from '../cells.ts';
import {
  AXIS_HEIGHT,
  BASELINE_OFFSET,
  CAPTION_HEIGHT,
  CAPTION_LINE_HEIGHT,
  HEADING_HEIGHT,
  ROW_HEIGHT,
  TASK_GAP,
  TITLES_WIDTH,
  WIDTH,
} from './layout.ts';
import { drawTitle, type PictureLine, pictureLines } from './lines.ts';
import { drawPanel, figureInWords, type Panel, panelsWithFigures } from './panel.ts';
import { drawHeading, drawText, type Markup } from './shapes.ts';

/** Where a picture is shown: in a README, light or dark, or in a page that sets the colour. */
export type Theme = 'light' | 'dark' | 'page';

/** What is drawn of one task. */
interface TaskDrawing {
  /** Empty if the run has one task. */
  name: string;
  lines: PictureLine[];
  panels: Panel[];
  /** The upper edge of the first row, in px from that of the task. */
  top: number;
  /** In px, with the gap to the next task. */
  height: number;
}

/** The colour of main text, which is GitHub's in a README. */
const INK: Record<Theme, string> = {
  light: '#1f2328',
  dark: '#e6edf3',
  page: 'currentColor',
};

const CAPTION = [
  'Mark: mean over all pairs; hollow if spans were lost. Whisker: 95 % interval. ' +
    'Faint dots: single pairs.',
  `Grey: no significant difference. ${MARK}: a warning changes how the row is to be read; ` +
    'it stands beside the table.',
];

/**
 * Returns an SVG that shows what every scenario costs more than its baseline: one image with a
 * label, on a transparent background. Everything that comes from the run is escaped.
 */
export function picture(run: Run, theme: Theme): string {
  const drawings = run.tasks
    .map((task) => planTask(run, task))
    .filter(({ panels }) => panels.length > 0);
  const heights = drawings.map(({ height }) => height);
  const content = drawings.map((each, index) => drawTask(each, sum(heights.slice(0, index))));
  const captionTop = sum(heights);
  const height = captionTop + CAPTION_HEIGHT;
  const label = drawings.map(labelOf).join(' ');
  const svg = html`<svg color="${INK[theme]}" xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${label}"
width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}"
font-family="system-ui, sans-serif" font-size="12" fill="currentColor">${content}${drawCaption(captionTop)}</svg>`;
  return printable(String(svg));
}

function planTask(run: Run, task: TaskAnalysis): TaskDrawing {
  const name = run.tasks.length > 1 ? task.title : '';
  const top = (name ? 2 : 1) * HEADING_HEIGHT;
  const lines = pictureLines(run, task, top);
  return {
    name,
    lines,
    panels: panelsWithFigures(task, lines),
    top,
    height: top + lines.length * ROW_HEIGHT + AXIS_HEIGHT + TASK_GAP,
  };
}

/** Returns the titles of a task at the left, and its panels side by side. */
function drawTask({ name, lines, panels, top }: TaskDrawing, offset: number): Markup {
  const width = (WIDTH - TITLES_WIDTH) / panels.length;
  const heading = name && drawHeading(0, BASELINE_OFFSET, name);
  const drawnPanels = panels.map((panel, index) => {
    const left = TITLES_WIDTH + (index * (WIDTH - TITLES_WIDTH)) / panels.length;
    return drawPanel(panel, lines, { top, left, width });
  });
  const content = html`${heading}${lines.map(drawTitle)}${drawnPanels}`;
  return html`<g transform="translate(0,${offset})">${content}</g>\n`;
}

function drawCaption(top: number): Markup[] {
  return CAPTION.map((line, index) =>
    drawText(0, top + BASELINE_OFFSET + index * CAPTION_LINE_HEIGHT, 'start', line),
  );
}

/** Returns all that is drawn of a task in words, for those who don't see the picture. */
function labelOf({ name, lines, panels }: TaskDrawing): string {
  const figures = panels.flatMap((panel) =>
    lines.map(({ row }) => `${row.title} ${figureInWords(row, panel)}.`),
  );
  const panelNames = panels.map((panel) => panel.name);
  const names = name ? [name, ...panelNames] : panelNames;
  return `${names.join(', ')}: ${figures.join(' ')}`;
}
