import { expect, test } from 'bun:test';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { costsAround, fakePairs } from '../testing/fakes.ts';
import { precisionText } from './precision-text.ts';
import { neighbourPrecisions } from './ranking.ts';
import { isMarked } from './warnings/list.ts';

const RANKING = {
  pairs: 4,
  mostPairs: 30,
  within: { value: 10, unit: '%' },
  isRanking: true,
} as const;
/** Two rows that differ by 3 %, and that five pairs neither tell apart nor call alike. */
const UNCLEAR: [number[], number[]] = [costsAround(20, 2), costsAround(20.6, 2)];

/** How near two rows are that take so much. */
function nearness([cheaper, dearer]: [number[], number[]]) {
  const pairs = [
    ...fakePairs('base', costsAround(10)),
    ...fakePairs('dearer', dearer),
    ...fakePairs('cheaper', cheaper),
  ];
  const run = fakeAnalysis((result) => {
    Object.assign(result.configuration, RANKING);
  }, pairs);
  return neighbourPrecisions(run, (row) => !isMarked(run, row));
}

test('two rows that are told apart, or alike, get no more pairs', () => {
  for (const dearerUs of [25, 20.01])
    expect(nearness([costsAround(20), costsAround(dearerUs)])).toMatchObject([
      { scenario: 'cheaper', meetsAimByEnoughPairs: true, morePairs: 0 },
      { scenario: 'dearer', meetsAimByEnoughPairs: true, morePairs: 0 },
    ]);
});

test('two rows that are neither get as many pairs as make the easier of the two likely', () => {
  const [cheaper, dearer] = nearness(UNCLEAR);
  expect(cheaper).toMatchObject({ meetsAimByEnoughPairs: false, aim: { label: 'Dearer' } });
  // They differ by 3 %: to be alike within 10 %, they need ±7 %.
  expect(cheaper?.wantedUs).toBeCloseTo(0.07 * 20, 1);
  const { halfWidthUs = 0, wantedUs = 0 } = cheaper ?? {};
  const inAll = 5 * (halfWidthUs / wantedUs) ** 2;
  expect(cheaper?.morePairs).toBe(Math.ceil(inAll) - 5);
  expect(dearer?.morePairs).toBe(cheaper?.morePairs as number);
});

test('the text names the other row', () => {
  const [cheaper] = nearness(UNCLEAR);
  expect(cheaper && precisionText(cheaper)).toMatch(/^beside Dearer ±\d+ %, aim ±7 %$/);
});
