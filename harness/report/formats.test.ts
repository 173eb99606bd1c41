import { expect, test } from 'bun:test';
import { fakeAnalysis, HOSTILE, makeHostile, severalTasks } from '../testing/fake-analysis.ts';
import { fakePair } from '../testing/fakes.ts';
import { FORMATS, RENDERERS } from './formats.ts';
import { printable } from './text.ts';

test('JSON: the analysis itself; what is infinite is null', () => {
  const analysis = fakeAnalysis();
  expect(JSON.parse(RENDERERS.json(analysis))).toEqual(JSON.parse(JSON.stringify(analysis)));
  const single = JSON.parse(RENDERERS.json(fakeAnalysis(undefined, [fakePair()])));
  expect(single.tasks[0].rows[0].change.cpuUs.estimate).toMatchObject({ value: 2, low: null, high: null });
});

test.each([...FORMATS])('%s: nothing that a terminal obeys, and no text is lost from JSON', (format) => {
  const text = RENDERERS[format](fakeAnalysis(makeHostile));
  expect(printable(text)).toBe(text);
  if (format === 'json') expect(JSON.parse(text).suite.title).toBe(HOSTILE);
});

test('github-action-benchmark: a smaller-is-better entry for each change', () => {
  const entries = JSON.parse(RENDERERS['github-action-benchmark'](fakeAnalysis()));
  expect(entries).toEqual([
    expect.objectContaining({ name: 'Other, change per request', unit: 'ms' }),
    expect.objectContaining({ name: 'Other, server CPU per request', unit: 'µs' }),
  ]);
  expect(entries[1].value).toBeCloseTo(2);
  expect(entries[1].range).toMatch(/^± 0\.0\d+$/);
  expect(entries[1].extra).toContain('bombardier');
});

test('github-action-benchmark: no range for a single pair; the task in the name if there are several', () => {
  const entries = JSON.parse(RENDERERS['github-action-benchmark'](fakeAnalysis(severalTasks('a', 'b'), [fakePair()])));
  expect(entries[0]).toMatchObject({ name: 'A: Other, change per request' });
  expect(entries[0]).not.toHaveProperty('range');
});
