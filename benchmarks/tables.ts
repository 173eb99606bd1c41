/**
 * Prints every table of the documents again, from the result that the document names below the table:
 *
 *     bun run tables
 *
 * A block `<!-- bench:SUITE -->` gets the table of the first `report results/FILE.json` in its document that is of this
 * suite, and of the tasks that are named there. A block whose result is not there yet stays as it is.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { analyse } from '../harness/analysis/analysis.ts';
import { replaceBlocks } from '../harness/report/blocks.ts';
import { RENDERERS } from '../harness/report/formats.ts';
import { readResult } from '../harness/result/file.ts';
import { partOf } from '../harness/result/part.ts';

export const ROOT = resolve(import.meta.dir, '..');

/** Their names, relative to the root. */
export const DOCUMENTS = globSync(['README.md', 'CONTRIBUTING.md', 'docs/*.md', 'inspector/README.md'], { cwd: ROOT });

/** The document with all its tables printed again. */
export function renewed(document: string): string {
  const text = readFileSync(join(ROOT, document), 'utf8');
  const named = [...text.matchAll(/report (results\/[\w.-]+\.json)(?: --tasks ([\w,-]+))?/g)].reverse();
  return named.reduce((before, [, file = '', tasks]) => {
    if (!existsSync(join(ROOT, file))) return before;
    const run = analyse(partOf(readResult(join(ROOT, file)), tasks?.split(',')));
    const { name } = run.header.suite;
    return before.includes(`<!-- bench:${name} -->`) ? replaceBlocks(before, name, RENDERERS.docs(run)) : before;
  }, text);
}

if (import.meta.main) for (const each of DOCUMENTS) writeFileSync(join(ROOT, each), renewed(each));
