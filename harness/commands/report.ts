import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { analyse, type Run } from '../analysis/analysis.ts';
import { type Format, RENDERERS, replaceBlocks } from '../report/formats.ts';
import { readResult } from '../result/file.ts';
import { partOf } from '../result/part.ts';
import { orProblem, Problem } from '../words/errors.ts';
import { EXIT, print, writeWhole } from '../words/output.ts';

export interface ReportOptions {
  tasks?: string[];
  format: Format;
  /** A document with blocks for the report. */
  update?: string;
  check: boolean;
  /** The page to write. */
  html?: string;
  /** The folder for pictures. */
  svg?: string;
}

/** Prints a result, or puts it where the options say. Returns the exit status. @throws Problem */
export async function report(file: string, options: ReportOptions): Promise<number> {
  const { format, update, check, html, svg } = options;
  if (html !== undefined && !/\.html?$/.test(html))
    throw new Problem(`${html} is not the name of a page`, 'Give --html a name that ends with .html');
  const run = analyse(partOf(readResult(file), options.tasks));
  // What draws is large, so it is loaded only if something is to be drawn.
  if (html !== undefined) {
    const { page } = await import('../report/page.ts');
    await writeWhole(html, page(run));
    print(`${html}: written`);
  }
  if (svg !== undefined) await writePictures(run, svg);
  if (update !== undefined) return updateDocument(update, run.header.suite.name, RENDERERS[format](run), check);
  return html === undefined && svg === undefined ? print(RENDERERS[format](run)) : EXIT.done;
}

/** Puts the report into the document's blocks of that name; with `isCheck` only says whether they are up to date. */
async function updateDocument(document: string, name: string, text: string, isCheck: boolean): Promise<number> {
  const read = () => readFile(document, 'latin1');
  const before = await orProblem(read, `${document} can't be read`, 'Give a text file with blocks');
  // One character for each byte, so that the rest of a document stays as it is in whatever encoding.
  const after = replaceBlocks(before, name, Buffer.from(text).toString('latin1'));
  if (after === before) return print(`${document}: ${name} is up to date`);
  if (isCheck) return print(`${document}: ${name} is out of date`, EXIT.failed);
  await writeWhole(document, Buffer.from(after, 'latin1'));
  return print(`${document}: ${name} updated`);
}

async function writePictures(run: Run, folder: string): Promise<void> {
  const { picture } = await import('../report/picture.ts');
  await orProblem(() => mkdir(folder, { recursive: true }), `${folder} can't be made`, 'Choose another folder');
  for (const theme of ['light', 'dark'] as const) {
    const file = join(folder, `${run.header.suite.name}-${theme}.svg`);
    await writeWhole(file, picture(run, theme));
    print(`${file}: written`);
  }
}
