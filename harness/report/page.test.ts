import { expect, test } from 'bun:test';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { page } from './page.ts';

/** Text that a browser would show: without tags, styles and attributes. */
const shown = (html: string) =>
  html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<script>.*?<\/script>/s, '')
    .replace(/<[^>]*>/g, ' ');

test('has all its parts, loads nothing, and runs one script of its own', () => {
  const html = page(fakeAnalysis());
  for (const part of ['What each server uses', 'Warnings', 'How it was measured'])
    expect(html).toContain(`<summary><h2>${part}</h2></summary>`);
  const text = shown(html);
  const how = [
    'v2.0.2',
    'Test CPU, 2 cores, Linux 6 x64. Measured 2026-11-21.',
    'bombardier -c 100',
  ];
  for (const part of [
    '+2.000 ±0.040 µs',
    '10.0 µs',
    '95.4 MiB',
    'hollow if spans were lost',
    ...how,
  ])
    expect(text).toContain(part);
  expect(text).toContain('With Other a request takes 1.200 ±0.004 times the baseline&#39;s CPU');
  expect(html).toMatch(
    /content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; img-src data:; script-src &#39;sha256-[\w+/=]{44}&#39;"/,
  );
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toMatch(/<link (?!rel="icon" href="data:,")|<img|src=|@import|url\(/);
  expect(text).not.toMatch(/NaN|undefined|\[object/);
});
