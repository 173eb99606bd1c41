import { limitText } from '../../analysis/aims.ts';
import type { Judgement, Verdict } from '../../analysis/gate.ts';
import { counted, escapeMarkdown } from '../../words/text.ts';
import { amountText, PERCENT, plusMinusText, US } from '../cells.ts';
import { type ComparisonReport, comparisonSections } from '../comparison.ts';
import { dearestFirst, noDearerText } from '../comparison-answer.ts';
import { gateLines } from '../gate-text.ts';
import { tooHighText, tooLowText } from '../misreading-text.ts';
import { asMarkdown } from './markdown.ts';

/** What came of a comparison, for a comment on a pull request. */
export interface ComparisonOutcome {
  report: ComparisonReport;
  /** What the gate says. */
  judgement: Judgement;
  /** How many warnings make it fail. */
  failingWarnings: number;
}

/**
 * Returns a comment on a pull request: the verdict in a sentence, the table, and folded what else a
 * reader may want to know. What is not decided, or not finished, must not read like a pass.
 */
export function asPullRequestComment(whole: ComparisonOutcome): string {
  const outcome = { ...whole, report: withoutLastWords(whole.report) };
  const { report, judgement } = outcome;
  const [compared = {}, remarks = {}] = comparisonSections(report, judgement.limit);
  const { tables = [], ...notes } = compared;
  const comment = [
    `### ${escapeMarkdown(headline(outcome))}`,
    asMarkdown([{ paragraphs: [subject(outcome)], list: linesBelow(outcome) }]),
    asMarkdown([{ tables }]),
    `<details><summary>${summaryOf(report)}</summary>`,
    asMarkdown([notes, remarks]),
    '</details>',
  ].join('\n\n');
  return withoutMentions(comment);
}

function headline({ report, judgement, failingWarnings }: ComparisonOutcome): string {
  const { verdicts, limit } = judgement;
  if (report.stoppedBy !== null) return `Not finished: ${report.stoppedBy}`;
  const exceeding = verdicts.filter((verdict) => verdict.kind === 'exceeds');
  if (exceeding.length > 0) return exceedingHeadline(exceeding, judgement);
  if (verdicts.length === 0) return 'Nothing was compared';
  const notPassed = verdicts.filter(({ kind }) => kind !== 'passes').sort(failuresFirst)[0];
  if (notPassed) return notPassedHeadline(notPassed, judgement);
  if (failingWarnings > 0) return `Failed: ${counted(failingWarnings, 'warning')}, see below`;
  const costs = report.comparisons.flatMap(({ cost }) => cost ?? []);
  return `${nameWithoutHash(report.revisions.old)} -> this change: ${noDearerText(costs, limit.unit)}`;
}

/** Returns the row that costs most more, and how many others do. */
function exceedingHeadline(
  exceeding: Extract<Verdict, { kind: 'exceeds' }>[],
  { limit, quantity }: Judgement,
): string {
  const [first, ...others] = dearestFirst(exceeding);
  if (!first) return '';
  const { changeUs, relative } = first.cost;
  const amount = limit.unit === 'us' ? amountText(US, changeUs) : amountText(PERCENT, relative);
  const count = others.length;
  const rest = `, and ${count} more ${count === 1 ? 'is' : 'are'} above ${limitText(limit, quantity)}`;
  return `${first.title} takes ${amount} more CPU${count > 0 ? rest : ''}`;
}

function notPassedHeadline(verdict: Verdict, { limit }: Judgement): string {
  switch (verdict.kind) {
    case 'not-judged':
      return `Not compared: ${verdict.title}, ${verdict.reason}`;
    case 'too-few-pairs':
      return `Not decided: ${verdict.title} has ${counted(verdict.pairs, 'pair')}`;
    case 'reads-too-low':
      return `Not decided: ${verdict.title} ${tooLowText(verdict.reason)}`;
    case 'reads-too-high':
      return `Not decided: ${verdict.title} ${tooHighText(verdict.reason)}`;
    case 'undecided': {
      const { changeUs, relative, pairs } = verdict.cost;
      const change =
        limit.unit === 'us' ? plusMinusText(US, changeUs) : plusMinusText(PERCENT, relative);
      return `Not decided: ${verdict.title}, ${change} CPU after ${counted(pairs, 'pair')}`;
    }
    default:
      return '';
  }
}

/** A row that can't be judged makes the gate fail; others only keep it from being decided. */
function failuresFirst(one: Verdict, other: Verdict): number {
  const rank = ({ kind }: Verdict) => (kind === 'not-judged' ? 0 : 1);
  return rank(one) - rank(other);
}

/** What programs said is for the log: a comment is for everybody. */
function withoutLastWords(report: ComparisonReport): ComparisonReport {
  const cut = (text: string) => text.replace(/; it said: .*/s, '; the log says more');
  const { stoppedBy, remarks } = report;
  return {
    ...report,
    stoppedBy: stoppedBy === null ? null : cut(stoppedBy),
    remarks: { ...remarks, warnings: remarks.warnings.map(cut) },
  };
}

/** Returns what was compared, and by which limit. */
function subject({ report, judgement }: ComparisonOutcome): string {
  const { old, current } = report.revisions;
  const { limit, quantity } = judgement;
  return `${old} -> ${current}. Limit: ${limitText(limit, quantity)} more CPU per request.`;
}

/** Returns what does not pass, row by row, with what to do about it. */
function linesBelow({ judgement, report }: ComparisonOutcome): string[] {
  return gateLines([judgement], report.remedies).map((line) => `${line}.`);
}

function summaryOf({ remarks }: ComparisonReport): string {
  const warnings = remarks.warnings?.length ?? 0;
  return warnings > 0
    ? `How it was measured, and ${counted(warnings, 'warning')}`
    : 'How it was measured';
}

/** Returns a revision as people call it, without the hash that tells it from others of the name. */
function nameWithoutHash(revision: string): string {
  return revision.replace(/ \([\da-f]+\)$/, '');
}

/** Packages such as @hono/otel would call people of that name. */
function withoutMentions(comment: string): string {
  return comment.replace(/@(?=\w)/g, '@<!-- -->');
}
