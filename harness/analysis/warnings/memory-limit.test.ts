import { expect, test } from 'bun:test';
import { textsOf, warningsAfter } from '../../testing/fake-analysis.ts';

/** What all that runs takes in the second pair, of 300 MiB. */
const taking = (mebibytes: number) =>
  warningsAfter(({ pairs }) => {
    const memory = { limitBytes: 300 * 2 ** 20, takenBytes: mebibytes * 2 ** 20 };
    for (const pair of pairs.slice(1, 2)) pair.container = { cpu: null, memory };
  });

test('memory-limit: servers that come near to what their container may use', () => {
  expect(taking(200)).toEqual([]);
  expect(textsOf(taking(290))).toEqual([
    'Costs may read too high: servers, load tool and tracetax took 290 MiB of 300 MiB ' +
      'that their container may use',
  ]);
});
