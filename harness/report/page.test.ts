import { expect, test } from 'bun:test';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { page } from './page.ts';

/** Text that a browser would show: without tags, styles and attributes. */
const shown = (html: string) => html.replace(/<style>.*?<\/style>/s, '').replace(/<[^>]*>/g, ' ');

test('has all its parts, and nothing that is loaded or run', () => {
  const html = page(fakeAnalysis());
  for (const part of ['What each server uses', 'Warnings', 'How it was measured'])
    expect(html).toContain(`<h3>${part}</h3>`);
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
  expect(html.match(/<svg /g)).toHaveLength(1);
  expect(html).toContain(
    `content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; img-src data:"`,
  );
  expect(html).not.toMatch(/<script|<link (?!rel="icon" href="data:,")|<img|src=|@import|url\(/);
  expect(text).not.toMatch(/NaN|undefined|\[object/);
});
