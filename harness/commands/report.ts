import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { analyse } from '../analysis/analysis.ts';
import { type Format, RENDERERS, replaceBlocks } from '../report/formats.ts';
import { page } from '../report/page.ts';
import { picture } from '../report/picture.ts';
import { readResult } from '../result/file.ts';
import { orProblem, Problem } from '../words/errors.ts';
import { writeFileAtomically } from '../words/files.ts';
import { EXIT_STATUS, print } from '../words/output.ts';

/** `update`: a document with blocks for the report; `html`: the page to write; `svg`: the folder for pictures. */
type ReportOptions = {
  format: Format;
  update?: string;
  check: boolean;
  html?: string;
  svg?: string;
};

/** Prints a result, or puts it where the options say. Returns the exit status. @throws Problem */
export async function report(
  file: string,
  { format, update, check, html, svg }: ReportOptions,
): Promise<number> {
  if (html !== undefined && !/\.html?$/.test(html))
    throw new Problem(
      `${html} is not the name of a page`,
      'Give --html a name that ends with .html',
    );
  const run = analyse(readResult(file));
  const { name } = run.header.suite;
  if (html !== undefined) await write(html, page(run));
  if (svg !== undefined) {
    await orProblem(
      () => mkdir(svg, { recursive: true }),
      `${svg} can't be made`,
      'Choose another folder',
    );
    for (const theme of ['light', 'dark'] as const)
      await write(join(svg, `${name}-${theme}.svg`), picture(run, theme));
  }
  if (update !== undefined) return updateDocument(update, name, RENDERERS[format](run), check);
  return html === undefined && svg === undefined
    ? print(RENDERERS[format](run))
    : EXIT_STATUS.success;
}

async function write(path: string, content: string): Promise<void> {
  await writeFileAtomically(path, content);
  print(`${path}: written`);
}

/** Puts the report into the document's blocks of that name; with `isCheck` only says whether they are up to date. */
async function updateDocument(
  document: string,
  name: string,
  text: string,
  isCheck: boolean,
): Promise<number> {
  const read = () => readFile(document, 'latin1');
  const before = await orProblem(read, `${document} can't be read`, 'Give a text file with blocks');
  // One character for each byte, so that the rest of a document stays as it is in whatever encoding.
  const after = replaceBlocks(before, name, Buffer.from(text).toString('latin1'));
  if (after === before) return print(`${document}: ${name} is up to date`);
  if (isCheck) return print(`${document}: ${name} is out of date`, EXIT_STATUS.failure);
  await writeFileAtomically(document, Buffer.from(after, 'latin1'));
  return print(`${document}: ${name} updated`);
}
