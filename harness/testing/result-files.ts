// Result files of a fake run with one row, for commands that read them.
import type { Result } from '../result/schema.ts';
import { fakePairs, fakeResult } from './fakes.ts';
import type { TestFolder } from './folder.ts';

/**
 * Writes the result of a run in which a request takes 10 µs of CPU at the baseline, and `otherUs`
 * at `other`, after `edit`. Returns the path of the file.
 */
export function writeFakeResult(
  { write }: TestFolder,
  name: string,
  otherUs = 12,
  edit: (result: Result) => void = () => {},
): string {
  const costsUs = (us: number) => [0.99, 1, 1.01].map((factor) => us * factor);
  const result = fakeResult([
    ...fakePairs('base', costsUs(10)),
    ...fakePairs('other', costsUs(otherUs)),
  ]);
  edit(result);
  return write(name, result);
}
