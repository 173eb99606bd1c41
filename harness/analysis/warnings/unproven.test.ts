import { describe, expect, test } from 'bun:test';
import { kindsOf, textsOf, warningsAfter } from '../../testing/fake-analysis.ts';
import { asRevisions, fakeExported, fakeFault } from '../../testing/fakes.ts';

describe('unproven', () => {
  const text = 'Nobody knows whether Other recorded all: nothing proves it';
  const uncounted =
    'Nobody knows whether Other recorded all under load: spans could not be counted';

  test('nothing shows what a row recorded, if instrumentation is compared', () => {
    expect(warningsAfter((result) => result.proofs.pop())).toMatchObject([
      { kind: 'unproven', text },
    ]);
    const noInstrumentation = warningsAfter((result) => {
      result.proofs = [];
      result.suite.isInstrumentation = false;
    });
    expect(noInstrumentation).toEqual([]);
  });

  test('an older revision is a server like the newer one', () => {
    const ofNew = warningsAfter((result) => {
      asRevisions(result);
      result.proofs = result.proofs.filter(({ scenario }) => scenario === 'other.new');
    });
    expect(textsOf(ofNew)).toEqual(['Nobody knows whether Base recorded all: nothing proves it']);
  });

  test('spans that no sink counts, or of which nobody knows how many there should be', () => {
    const traced = (exported: ReturnType<typeof fakeExported> | null) =>
      warningsAfter(({ proofs, pairs }) => {
        for (const proof of proofs) if (proof.scenario === 'other') proof.spans = 200;
        for (const pair of pairs) if (pair.scenario === 'other') pair.exported.scenario = exported;
      });
    expect(traced(fakeExported(1_000, 1_000))).toEqual([]);
    expect(textsOf(traced(null))).toEqual([uncounted]);
    expect(textsOf(traced(fakeExported(null, 1_000)))).toEqual([uncounted]);
  });

  test('spans that an older result counts in the warm-up, too, if any were lost', () => {
    const atRate = (received: number) =>
      warningsAfter(({ proofs, pairs, suite }) => {
        for (const task of suite.tasks) task.rate = 100;
        for (const proof of proofs) if (proof.scenario === 'other') proof.spans = 200;
        for (const { scenario, exported } of pairs)
          if (scenario === 'other') exported.scenario = fakeExported(1_000, received);
      });
    expect(kindsOf(atRate(1_000))).toEqual([]);
    expect(textsOf(atRate(700))).toEqual([
      'Nobody knows whether Other recorded all at the rate: spans were lost, in the warm-up at full load or later',
    ]);
  });

  test('spans of which more than one in a hundred may be lost unseen', () => {
    const receiving = (spansReceived: number) =>
      warningsAfter(({ pairs }) => {
        for (const { scenario, exported } of pairs)
          if (scenario === 'other')
            exported.scenario = {
              ...fakeExported(1_000, spansReceived),
              spansWithUnanswered: 1_050,
            };
      });
    expect(textsOf(receiving(1_039))).toEqual([
      'Nobody knows whether Other recorded all under load: the load tool leaves so many requests that a loss above 1 % may not show',
    ]);
    expect(receiving(1_040)).toEqual([]);
  });

  test('not a row with faults, which has a warning of its own', () => {
    const found = warningsAfter(({ proofs, pairs }) => {
      for (const proof of proofs) if (proof.scenario === 'other') proof.spans = 200;
      for (const pair of pairs) if (pair.scenario === 'other') pair.faults.push(fakeFault());
    });
    expect(kindsOf(found)).toEqual(['invalid']);
  });

  test('spans that --export none drops, which are proved with an exporter', () => {
    const dropped = (asked: 'none' | 'otlp') =>
      warningsAfter(({ proofs, suite, configuration }) => {
        for (const proof of proofs) if (proof.scenario === 'other') proof.spans = 200;
        for (const each of suite.scenarios) each.export = 'none';
        configuration.export = asked;
      });
    expect(textsOf(dropped('none'))).toEqual([uncounted]);
  });
});
