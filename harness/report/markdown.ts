import { oneLine, printable } from './printable.ts';

/** No title and no reason is longer than this, unless someone made a file to fill a screen. */
const MAX_LENGTH = 2_000;

/** What is shown as code or not at all, by the names that the result's schema gives it: `codeSpan`, `codeBlock`. */
const CODE = ['command', 'commands', 'output', 'statistics'];

/**
 * The same data with every text in it escaped for Markdown (CommonMark with tables), so that it shows as it is, on one
 * line, wherever a report puts it. The one place for that: reports are made from what this returns.
 */
export function markdownSafe<T>(data: T): T {
  return escaped(data) as T;
}

function escaped(value: unknown): unknown {
  if (typeof value === 'string') return escapeMarkdown(value);
  if (Array.isArray(value)) return value.map(escaped);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, CODE.includes(key) ? each : escaped(each)]),
  );
}

function escapeMarkdown(text: string): string {
  const line = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  return (
    oneLine(line)
      .replace(/[\\`*[\]|]|(?<!\w)_|_(?!\w)|~(?=\S)|(?<=\S)~/g, '\\$&')
      // As entities, for those who put Markdown through something else than a Markdown parser.
      .replaceAll(/&(?=#?\w+;)/g, '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
  );
}

/** Code within a line. */
export function codeSpan(text: string): string {
  const line = oneLine(text).replaceAll('<!--', '<! --');
  const fence = '`'.repeat(longestRun(line) + 1);
  return line.startsWith('`') || line.endsWith('`') ? `${fence} ${line} ${fence}` : fence + line + fence;
}

/** Code on lines of its own. Comments in it are broken: bench blocks end with one. */
export function codeBlock(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return [fence, printable(text).replaceAll('<!--', '<! --'), fence].join('\n');
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
}
