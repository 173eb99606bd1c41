import { expect, test } from 'bun:test';
import { writeResult } from '../../harness/result/file.ts';
import { fakeResult } from '../../harness/testing/fakes.ts';
import { testFolder } from '../../harness/testing/folder.ts';
import { figureFaults, printFigures } from './printed.ts';
import { Results, resultNamed } from './results.ts';

const { folder, path, write } = testFolder();
writeResult(path('fake-xeon-2core.json'), fakeResult());
write('soak-xeon-2core.txt', 'It kept +1352 bytes a request.');
write('other-xeon-2core.json', {});
const RESULTS = new Results(folder, []);

test('figures are printed again from the result, whatever machine measured it', () => {
  const before = 'It takes <!--= fake base cpu -->9 µs<!--/-->, <!--= setting -->2 s<!--/-->.';
  const after = before.replace('9 µs', '10.0 µs');
  expect(printFigures(before, RESULTS)).toBe(after);
  expect(figureFaults(after, RESULTS)).toEqual([]);
});

test('a fault is one line: where, which figure, what it should be, and what to do', () => {
  const document = [
    '',
    'x <!--= fake base cpu -->9 µs<!--/-->',
    'x <!--= fake othr cpu -->9 µs<!--/-->',
    'x <!--= none base cpu -->9 µs<!--/-->',
    'x <!--= other base cpu -->9 µs<!--/-->',
    'x <!--= soak quote -->+1352 bytes<!--/-->, <!--= soak quote -->+1353 bytes<!--/-->',
    'x <!--= soak quote -->352 bytes<!--/-->, <!--= soak quote --><!--/-->',
    'x <!--= soak quote It kept -->+1352 bytes<!--/-->, <!--= soak quote It lost -->+1352 bytes<!--/-->',
  ].join('\n');
  expect(figureFaults(document, RESULTS)).toEqual([
    'line 2: fake base cpu is 10.0 µs, not "9 µs". Run bun run tables.',
    'line 3: fake othr cpu: There is no row "othr". Name one of base, other.',
    'line 4: none base cpu: results/ has no none.json, of whatever machine. Measure it, or delete the figure.',
    'line 5: other base cpu: results/other-xeon-2core.json is not of a run. Quote it.',
    'line 6: soak quote: results/soak-xeon-2core.txt does not say "+1353 bytes". Write it as it is there.',
    'line 7: soak quote: results/soak-xeon-2core.txt does not say "352 bytes". Write it as it is there.',
    'line 7: soak quote: results/soak-xeon-2core.txt does not say "". Write it as it is there.',
    'line 8: soak quote It lost: results/soak-xeon-2core.txt does not say "+1352 bytes" where it says "It lost". Write it as it is there.',
  ]);
  expect(printFigures(document, RESULTS)).toBe(document.replace('9 µs', '10.0 µs'));
});

test('a document with a mark that does not end stays as it is', () => {
  const document = 'x <!--= fake base cpu -->9 µs';
  expect(printFigures(document, RESULTS)).toBe(document);
  expect(figureFaults(document, RESULTS)).toEqual([
    expect.stringContaining('1 figures begin with <!--=, 0 end with <!--/-->. Write'),
  ]);
});

test('of several machines, the document decides, or the one that has the table', () => {
  const files = ['levels-epyc-2core.json', 'levels-xeon-2core.json', 'levels-rate-xeon-2core.json'];
  const document = 'From `results/levels-xeon-2core.json`, then `results/levels-epyc-2core.json`.';
  expect(resultNamed('levels', files, [document])).toBe('levels-xeon-2core.json');
  expect(resultNamed('levels', files, ['Not named.', document])).toBe('levels-xeon-2core.json');
  expect(resultNamed('levels-epyc-2core', files, [document])).toBe('levels-epyc-2core.json');
  expect(resultNamed('levels-rate', files, [document])).toBe('levels-rate-xeon-2core.json');
  expect(() => resultNamed('levels', files, [])).toThrow(
    '"levels" may be levels-epyc-2core.json or levels-xeon-2core.json',
  );
});
