import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../problem.ts';
import { describeReplacement, replaceBlocks } from '../report/blocks.ts';
import { type Format, RENDERERS } from '../report/formats.ts';
import { readResult } from '../results/file.ts';
import type { Result } from '../results/schema.ts';
import { EXIT, print, writeWhole } from './output.ts';

export interface ReportOptions {
  format: Format;
  update?: string;
  check: boolean;
  html?: string;
  svg?: string;
}

/** Prints a result, or puts it where the options say. Returns the exit status. @throws Problem */
export async function report(file: string, options: ReportOptions): Promise<number> {
  const { format, update, check, html, svg } = options;
  if (check && update === undefined)
    throw new Problem('--check is about a document', 'Name it with --update');
  if (html !== undefined && !/\.html?$/.test(html))
    throw new Problem(`${html} is not the name of a page`, 'Give --html a name that ends with .html');
  const result = readResult(file);
  if (html !== undefined) await writePage(result, html);
  if (svg !== undefined) await writePlots(result, svg);
  if (update !== undefined)
    return updateDocument(update, result.suite.name, RENDERERS[format](result), check);
  return html === undefined && svg === undefined ? print(RENDERERS[format](result)) : EXIT.done;
}

/** Puts the report into the document's blocks of that name; with `isCheck` only says whether they are up to date. */
function updateDocument(document: string, suite: string, text: string, isCheck: boolean): number {
  const before = readBytes(document);
  const name = asBytes(suite);
  const after = replaceBlocks(before, name, asBytes(text));
  if (after === before) return print(`${document}: ${suite} is up to date`);
  const changes = describeReplacement(before, after, name);
  if (isCheck) return print(`${document}: ${suite} is stale: ${changes}`, EXIT.failed);
  writeWhole(document, Buffer.from(after, 'latin1'));
  return print(`${document}: ${suite} updated: ${changes}`);
}

/** One character for each byte, so that the rest of a document stays as it is in whatever encoding. */
function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function readBytes(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch (error) {
    throw new Problem(`${file} can't be read: ${(error as Error).message}`, 'Give a text file with blocks');
  }
}

/** What draws is large, and loaded only where something is to be drawn. */
async function writePage(result: Result, file: string): Promise<void> {
  const { htmlReport } = await import('../report/html/html.ts');
  writeWhole(file, await htmlReport(result));
  print(`${file}: written`);
}

async function writePlots(result: Result, folder: string): Promise<void> {
  const { plotSvgs } = await import('../report/html/plots.ts');
  const plots = Object.entries(await plotSvgs(result));
  makeFolder(folder);
  for (const [name, svg] of plots) {
    const file = join(folder, `${name.replace(/\.svg$/, '').replace(/[^\w-]/g, '_')}.svg`);
    writeWhole(file, svg);
    print(`${file}: written`);
  }
  if (plots.length === 0) print('There is nothing to plot in this result.');
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new Problem(`${folder} can't be made: ${(error as Error).message}`, 'Choose another folder');
  }
}
