import type { Run } from '../analysis/analysis.ts';
import { rowKeyOf, rowsWithNoiseFloor } from '../analysis/rows.ts';
import type { Warning } from '../analysis/warnings/list.ts';
import { counted, listed } from '../words/text.ts';
import { MARK } from './cells.ts';

/*
 * Warnings as a brief has them: those that matter most, and one for each mark of its table. The
 * full view has all of them.
 */

/** So many groups stand in a brief, whatever they are about. */
const MAX_FIRST = 2;

/** Warnings that say the same of rows, of which the first is told and the others are named. */
type Group = readonly [Warning, ...Warning[]];

/** Returns a warning as a sentence, with its remedy if it has one. */
export function warningText({ text, remedy, scenario }: Warning): string {
  const mark = scenario === null ? '' : `${MARK} `;
  const sentences = [text, remedy].filter((sentence) => sentence !== '');
  return `${mark}${sentences.join('. ')}.`;
}

/**
 * Returns the warnings that a brief has, and how many there are besides. A row that its table marks
 * is named in one of them: a mark without a line tells nothing.
 */
export function briefWarnings(run: Run, warnings: readonly Warning[]): string[] {
  const shown = shownGroups(groupsOf(warnings));
  const texts = shown.map((group) => groupText(run, group));
  const others = warnings.length - shown.flat().length;
  const last = texts.length - 1;
  if (others > 0)
    texts[last] = `${texts[last]} ${counted(others, 'more warning')} with --format full.`;
  return texts;
}

/** Returns the warnings in groups: those that say the same of rows, and each other alone. */
function groupsOf(warnings: readonly Warning[]): Group[] {
  const groups: [Warning, ...Warning[]][] = [];
  for (const warning of warnings) {
    const group = groups.find(([first]) => areAlike(first, warning));
    if (group) group.push(warning);
    else groups.push([warning]);
  }
  return groups;
}

/** Returns the first groups, and those that name a row that none before them does. */
function shownGroups(groups: readonly Group[]): Group[] {
  const named = new Set<string>();
  return groups.filter((group, index) => {
    const rows = group.filter(isAboutRow).map(rowKeyOf);
    const isShown = index < MAX_FIRST || rows.some((row) => !named.has(row));
    if (isShown) for (const row of rows) named.add(row);
    return isShown;
  });
}

function areAlike(one: Warning, other: Warning): boolean {
  const areOfRows = isAboutRow(one) && isAboutRow(other);
  return areOfRows && one.kind === other.kind && one.sense === other.sense;
}

function isAboutRow({ scenario }: Warning): boolean {
  return scenario !== null;
}

function groupText(run: Run, [first, ...others]: Group): string {
  const labels = others.map((warning) => labelOf(run, warning));
  const more = labels.length === 0 ? '' : ` Of the same kind: ${listed(labels)}.`;
  return warningText(first) + more;
}

/** Returns what the row is called that a warning is about. */
function labelOf({ tasks }: Run, warning: Warning): string {
  const row = tasks
    .flatMap(rowsWithNoiseFloor)
    .find((each) => rowKeyOf(each) === rowKeyOf(warning));
  return row?.label ?? '';
}
