/** Finds the results that documents name, and analyses each once. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyse, type Run } from '../../harness/analysis/analysis.ts';
import { readResult } from '../../harness/result/file.ts';
import { Problem } from '../../harness/words/errors.ts';

/** What stands in a file's name after the suite: a processor, and how many cores the machine has. */
const MACHINE = /^-[a-z0-9]+-\d+core$/;

/**
 * Returns the file that a figure means by a name without folder, machine and ending, so that a
 * table which is measured on another machine leaves documents as they are.
 * @param files the names of all results
 * @param documents if several machines have measured it, the first that names one of them decides
 * @throws Problem if there is none, or if nothing decides between several
 */
export function resultNamed(
  name: string,
  files: readonly string[],
  documents: readonly string[],
): string {
  const found = files.filter((file) => {
    const stem = file.replace(/\.\w+$/, '');
    return stem === name || (stem.startsWith(name) && MACHINE.test(stem.slice(name.length)));
  });
  const [first, ...others] = found;
  if (first === undefined)
    throw new Problem(
      `results/ has no ${name}.json, of whatever machine`,
      'Measure it, or delete the figure',
    );
  const named = others.length === 0 ? first : firstNamed(found, documents);
  if (named !== undefined) return named;
  throw new Problem(
    `"${name}" may be ${found.join(' or ')}`,
    'Write its whole name without the ending',
  );
}

function firstNamed(files: readonly string[], documents: readonly string[]): string | undefined {
  return documents.flatMap((document) => {
    const placeOf = (file: string) => document.indexOf(`results/${file}`);
    const named = files.filter((file) => placeOf(file) >= 0);
    return named.toSorted((one, other) => placeOf(one) - placeOf(other));
  })[0];
}

/** The results of a folder. */
export class Results {
  private readonly runs = new Map<string, Run>();

  /** @param documents those that print tables of them */
  constructor(
    private readonly folder: string,
    private readonly documents: readonly string[],
  ) {}

  /**
   * Returns the file of that name. If several machines have measured it, that document decides
   * which names one, else the one that has the table.
   * @throws Problem if there is none, or if nothing decides
   */
  named(name: string, document: string): string {
    const printing = this.documents.filter((each) => each.includes(`<!-- bench:${name}`));
    return resultNamed(name, this.files(), [document, ...printing]);
  }

  /** Returns the analysis of a run; null for a file that is none, or is not there. */
  run(file: string): Run | null {
    const known = this.runs.get(file);
    if (known) return known;
    if (!this.isOfRun(file)) return null;
    const run = analyse(readResult(join(this.folder, file)));
    this.runs.set(file, run);
    return run;
  }

  text(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  private files(): string[] {
    return readdirSync(this.folder).filter((file) => /\.(json|txt)$/.test(file));
  }

  private isOfRun(file: string): boolean {
    return this.isThere(file) && JSON.parse(this.text(file)).kind === 'tracetax';
  }

  private isThere(file: string): boolean {
    return file.endsWith('.json') && existsSync(join(this.folder, file));
  }
}
