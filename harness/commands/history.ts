import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../problem.ts';
import { type Entry, historyReport } from '../report/history.ts';
import { readResult } from '../results/file.ts';
import { complain, print } from './output.ts';

/** Lists the results in the folder and draws their costs over time. What can't be read is named, and skipped. */
export function history({ folder }: { folder: string }): number {
  const entries: Entry[] = [];
  const unreadable: string[] = [];
  for (const file of resultFiles(folder)) {
    try {
      entries.push({ file, result: readResult(join(folder, file)) });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      unreadable.push(file);
    }
  }
  if (unreadable.length > 0)
    complain(`tracetax: skipped, since they are no results: ${unreadable.join(', ')}`);
  return print(entries.length > 0 ? historyReport(entries) : `There are no results in ${folder}.`);
}

function resultFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch (error) {
    throw new Problem(`${folder} can't be read: ${(error as Error).message}`, 'Give a folder with --folder');
  }
}
