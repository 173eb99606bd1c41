import { expect, test } from 'bun:test';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { fakeExported, fakeFault } from '../testing/fakes.ts';
import { factsLine } from './facts-line.ts';

test('the line under a table says what a container may use of its machine', () => {
  const limits = { quotaCores: 0.6, cores: null, memoryBytes: null };
  expect(factsLine(fakeAnalysis())).toContain('Test CPU, 2 cores, 2026');
  const limited = fakeAnalysis(({ environment }) => Object.assign(environment, { limits }));
  expect(factsLine(limited)).toContain('Test CPU, 0.6 of 2 cores by its container, 2026');
});

test('the line under a table says in how many pairs metrics were sent while servers were measured', () => {
  const textWith = (payloadsOf: (pair: number) => number | undefined, metrics = ['duration']) =>
    factsLine(
      fakeAnalysis(({ proofs, pairs }) => {
        for (const proof of proofs) proof.metrics = metrics;
        for (const [at, pair] of pairs.filter(({ scenario }) => scenario === 'other').entries()) {
          const metricPayloads = payloadsOf(at);
          pair.exported.scenario = {
            ...fakeExported(null, 0),
            ...(metricPayloads !== undefined && { metricPayloads }),
          };
        }
      }),
    );
  expect(textWith(() => 0)).toContain(', metrics not sent meanwhile, ');
  expect(textWith((pair) => Math.max(0, pair - 2))).toContain(', metrics sent in 2 of 5 pairs, ');
  for (const unsaid of [textWith(() => 1), textWith(() => undefined), textWith(() => 0, [])])
    expect(unsaid).not.toContain('metrics');
});

test('the line under a table counts the pairs of rows that have figures', () => {
  const text = factsLine(
    fakeAnalysis(({ configuration, pairs }) => {
      Object.assign(configuration, { mostPairs: 30 });
      const failing = pairs.filter(({ scenario }) => scenario === 'other').slice(0, 2);
      for (const pair of failing) pair.faults.push(fakeFault({ scenario: 'other' }));
      const others = pairs.filter(({ scenario }) => scenario !== 'other');
      pairs.splice(0, pairs.length, ...failing, ...others);
    }),
  );
  expect(text).toStartWith('5 pairs per row');
});

test('the line under a table says in how many pairs profiles were sent', () => {
  const textWith = (profilesOf: (pair: number) => number, proven = 3) =>
    factsLine(
      fakeAnalysis(({ proofs, pairs }) => {
        for (const proof of proofs) proof.profiles = proven;
        for (const [at, pair] of pairs.filter(({ scenario }) => scenario === 'other').entries())
          pair.exported.scenario = { ...fakeExported(null, 0), profiles: profilesOf(at) };
      }),
    );
  expect(textWith(() => 0)).toContain(', profiles not sent meanwhile, ');
  expect(textWith((pair) => Math.max(0, pair - 2))).toContain(', profiles sent in 2 of 5 pairs, ');
  for (const unsaid of [textWith(() => 1), textWith(() => 0, 0)])
    expect(unsaid).not.toContain('profiles');
});

test('the line under a table says nothing of spans if servers record metrics only', () => {
  const textWith = (spans: number) =>
    factsLine(
      fakeAnalysis(({ proofs }) => {
        for (const proof of proofs) Object.assign(proof, { spans, metrics: ['duration'] });
      }),
    );
  expect(textWith(200)).toContain(', spans exported, ');
  expect(textWith(0)).not.toContain('spans');
});
