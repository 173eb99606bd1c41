import type { Run } from '../../analysis/analysis.ts';
import { Problem } from '../../words/errors.ts';
import { type Screen, screenOf } from '../../words/screen.ts';
import { answerOf } from '../answer.ts';
import type { Section } from '../cells.ts';
import { fullSections, viewOf } from '../view.ts';
import { asBenchmarkEntries } from './github-action-benchmark.ts';
import { asJson } from './json.ts';
import { asMarkdown } from './markdown.ts';
import { asTerminal } from './terminal.ts';

/**
 * Every text format, by what `--format` calls it. To add one: a file beside this one, and an entry.
 */
export const FORMATS = {
  /** What to read in a terminal: a table that fits it, and the answer as the last line. */
  terminal: (run: Run, screen: Screen, verdict: string) => {
    return asTerminal([viewOf(run).brief], [answerOf(run), verdict], screen);
  },
  /**
   * What to paste into documentation: a table, a line of how, the suite's remarks, and the warnings
   * that matter most.
   */
  docs: (run: Run) => asMarkdown([viewOf(run).brief]),
  /** Everything: Markdown, or in a terminal what fits it. */
  full: (run: Run, screen: Screen, verdict: string) => {
    return asText(fullSections(viewOf(run)), [answerOf(run), verdict], screen);
  },
  json: (run: Run) => asJson(run),
  'github-action-benchmark': asBenchmarkEntries,
} satisfies Record<string, (run: Run, screen: Screen, verdict: string) => string>;

export type Format = keyof typeof FORMATS;

const NO_TERMINAL: Screen = { isTerminal: false, columns: 80, hasColors: false };

/** How the user wants a text; what is left out depends on where stdout goes. */
export interface TextOptions {
  format?: Format | undefined;
  color?: boolean | undefined;
}

/**
 * Returns a run as it is printed to stdout.
 * @param verdict what a gate says of it, for a terminal; empty if there is none
 */
export function runText(run: Run, options: TextOptions, verdict = ''): string {
  const screen = screenOf(options.color);
  return FORMATS[formatOf(options, screen)](run, screen, verdict);
}

/** Returns a run as it stands in a document, wherever stdout goes. @throws Problem */
export function documentText(run: Run, { format = 'docs' }: TextOptions): string {
  if (format === 'terminal')
    throw new Problem('A document takes no text for a terminal', 'Leave out --format terminal');
  return FORMATS[format](run, NO_TERMINAL, '');
}

/**
 * Returns sections as they are printed to stdout, for what is no run.
 * @param answer what they come to, for a terminal: each text is a line
 */
export function sectionsText(
  sections: readonly Section[],
  answer: readonly string[],
  options: TextOptions,
): string {
  const screen = screenOf(options.color);
  const format = formatOf(options, screen);
  if (format === 'terminal') return asTerminal(sections, answer, screen);
  return format === 'full' ? asText(sections, answer, screen) : asMarkdown(sections);
}

/** Returns the format of what is printed to stdout. */
function formatOf({ format }: TextOptions, { isTerminal }: Screen): Format {
  return format ?? (isTerminal ? 'terminal' : 'docs');
}

function asText(sections: readonly Section[], answer: readonly string[], screen: Screen): string {
  return screen.isTerminal ? asTerminal(sections, answer, screen) : asMarkdown(sections);
}
