import { describe, expect, test } from 'bun:test';
import { asRevisions, fakeFault, fakePairs, fakeResult, fakeTask } from '../testing/fakes.ts';
import { analyse } from './analysis.ts';
import type { Comparison } from './compare.ts';
import { directionOf } from './direction.ts';
import { meanEstimate } from './mean-estimate.ts';
import { judgedCostsOf, referenceCostsOf } from './row-costs.ts';

test('a row is a share of the baseline beside which it was measured', () => {
  const [turns, duets] = [
    fakePairs('other', [20, 20, 20], 10),
    fakePairs('duets', [13, 13, 13], 12),
  ];
  for (const pair of turns) {
    pair.turns = pair.duets;
    pair.duets = [];
  }
  const run = analyse(fakeResult([...fakePairs('base', [12, 12, 12], 12), ...turns, ...duets]));
  const shares = judgedCostsOf(run).map(({ cost }) => cost?.relative.value);
  const multiples = run.tasks.flatMap(({ rows }) => rows.map((row) => row.cpuMultiple?.value));
  expect(shares).toEqual(multiples.map((multiple) => expect.closeTo(Number(multiple) - 1, 9)));
});

test('what a server takes without the package is shown, and is no change', () => {
  const result = fakeResult([
    ...fakePairs('other', [10, 10.01, 9.99]),
    ...fakePairs('bare', [5, 5.01, 4.99]),
  ]);
  asRevisions(result);
  const rename = (name: string) => (name === 'bare.new' ? 'bare.old' : name);
  for (const each of result.suite.scenarios) each.name = rename(each.name);
  for (const pair of result.pairs) pair.scenario = rename(pair.scenario);
  for (const task of result.suite.tasks) task.scenarios = task.scenarios.map(rename);
  const run = analyse(result);
  expect(judgedCostsOf(run).map(({ title }) => title)).toEqual(['Other']);
  const [bare] = referenceCostsOf(run);
  expect(bare?.title).toBe('Bare');
  expect(bare?.cost?.relative.value).toBeCloseTo(-0.5, 2);
});

/** What a row of two revisions took in its pairs, in µs. */
interface RevisionRow {
  name: string;
  newUs: number[];
  oldUs?: number;
}

/**
 * What a run of two revisions says of these rows, each in a task of its own, and of one that was
 * skipped.
 */
function costsInPairs(...rows: RevisionRow[]): Comparison[] {
  const result = fakeResult(
    rows.flatMap(({ name, newUs, oldUs }) => fakePairs(name, newUs, oldUs)),
  );
  result.suite.tasks = rows.map(({ name }) => {
    return { ...fakeTask(name, [name]), title: `The ${name}` };
  });
  for (const pair of result.pairs) pair.task = pair.scenario;
  const fault = fakeFault({ what: 'not in main' });
  result.suite.skipped = [{ scenario: 'Added', fault, tasks: [] }];
  asRevisions(result);
  return judgedCostsOf(analyse(result));
}

describe('old and new in the same pairs', () => {
  test('have the change of their pairs, with intervals that hold for all rows together', () => {
    const [server, other, added] = costsInPairs(
      { name: 'server', newUs: [10.18, 10.2, 10.22] },
      { name: 'other', newUs: [19.9, 20, 20.1], oldUs: 20 },
    );
    expect(server).toMatchObject({ title: 'The server', missing: null });
    expect(server?.cost?.oldUs).toBeCloseTo(10, 9);
    expect(server?.cost?.newUs).toBeCloseTo(10.2, 9);
    const own = meanEstimate([0.18, 0.2, 0.22], 2);
    expect(server?.cost?.changeUs.low).toBeGreaterThan(own.low);
    expect(server?.cost?.changeUs.high).toBeLessThan(own.high);
    expect(server?.cost?.relative.value).toBeCloseTo(0.02, 9);
    expect(other?.cost && directionOf(other.cost)).toBe('insignificant');
    expect(added).toEqual({ title: 'Added', cost: null, missing: 'not in main' });
  });

  test('have no figure by too few pairs, which make no interval wider', () => {
    const [server] = costsInPairs(
      { name: 'server', newUs: [10.18, 10.2, 10.22] },
      { name: 'other', newUs: [19, 20] },
    );
    expect(server?.cost?.changeUs.low).toBeCloseTo(meanEstimate([0.18, 0.2, 0.22], 1).low, 9);
    const missing = expect.stringContaining('fewer than 3');
    expect(costsInPairs({ name: 'server', newUs: [11, 12] })[0]).toMatchObject({
      cost: null,
      missing,
    });
  });
});
