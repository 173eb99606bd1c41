import { Problem } from '../words/errors.ts';

const END = '<!-- /bench -->';

/**
 * Returns the document with all its blocks of that name replaced, the rest byte for byte as it was.
 * @throws Problem if there is no such block, or one that does not end
 */
export function replaceBlocks(document: string, name: string, content: string): string {
  const start = `<!-- bench:${name} -->`;
  const remedy = `Put ${start} and ${END} around the place for the table`;
  if (!document.includes(start)) throw new Problem(`There is no block "${name}" to update`, remedy);
  const newline = document.includes('\r\n') ? '\r\n' : '\n';
  const block = [start, '', ...content.split('\n'), '', END].join(newline);
  const blocks = new RegExp(`${RegExp.escape(start)}.*?(${END}|<!-- bench:|$)`, 'gs');
  return document.replace(blocks, (_, end) => {
    if (end !== END) throw new Problem(`A block "${name}" has no end`, `Close it with ${END}`);
    return block;
  });
}
