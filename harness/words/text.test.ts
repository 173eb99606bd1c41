import { expect, test } from 'bun:test';
import { counted, escapeMarkdown, printable } from './text.ts';

test('what a terminal would obey, what XML does not know, and half a character are shown', () => {
  expect(printable('a\u001b[0m\rb\r\n\tc\u0085\u2066')).toBe(
    'a\ufffd[0m\ufffdb\r\n\tc\ufffd\ufffd',
  );
  expect(printable('a\uFFFEb\ud800')).toBe('a\ufffdb\ufffd');
});

const HARMLESS = [
  'Ten nested spans (one trace)',
  'AMD EPYC, Linux 6.18.44-fc x64',
  'snake_case 5 % & more',
  'n.s. (+0.01 ±0.05 ms)',
];
test.each([
  ...HARMLESS.map((text) => [text, text] as const),
  [
    '_a_ ~b~ &lt; \\| <b> `c` [d] *e*',
    '\\_a\\_ \\~b\\~ &amp;lt; \\\\\\| &lt;b&gt; \\`c\\` \\[d\\] \\*e\\*',
  ],
  ['/__health__ snake_case', '/\\_\\_health\\_\\_ snake_case'],
  ['a\r\n\t b', 'a b'],
] as const)('Markdown shows as it is, on one line: %p', (text, escaped) => {
  expect(escapeMarkdown(text)).toBe(escaped);
});

test('counts', () => {
  expect(counted(1, 'pair')).toBe('1 pair');
  expect(counted(10, 'pair')).toBe('10 pairs');
});
