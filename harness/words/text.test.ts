import { expect, test } from 'bun:test';
import { counted, escapeMarkdown, printable } from './text.ts';

test('what a terminal would obey is shown', () => {
  expect(printable('a\u001b[0m\rb\r\n\tc\u0085\u2066')).toBe('a\ufffd[0m\ufffdb\r\n\tc\ufffd\ufffd');
});

test('what XML does not know, and half a character', () => {
  expect(printable('a\uFFFEb\ud800')).toBe('a\ufffdb\ufffd');
});

test.each([
  'Ten nested spans (one trace)',
  'AMD EPYC, Linux 6.18.44-fc x64',
  'snake_case 5 % & more',
  'n.s. (+0.01 ±0.05 ms)',
])('harmless in Markdown: %s', (text) => {
  expect(escapeMarkdown(text)).toBe(text);
});

test('what Markdown would read as its own', () => {
  expect(escapeMarkdown('_a_ ~b~ &lt; \\| <b> `c` [d] *e*')).toBe(
    '\\_a\\_ \\~b\\~ &amp;lt; \\\\\\| &lt;b&gt; \\`c\\` \\[d\\] \\*e\\*',
  );
});

test('underscores beside each other', () => {
  expect(escapeMarkdown('/__health__ snake_case')).toBe('/\\_\\_health\\_\\_ snake_case');
});

test('one line in Markdown', () => {
  expect(escapeMarkdown('a\r\n\t b')).toBe('a b');
});

test('counts', () => {
  expect(counted(1, 'pair')).toBe('1 pair');
  expect(counted(10, 'pair')).toBe('10 pairs');
});
