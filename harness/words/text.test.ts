import { expect, test } from 'bun:test';
import { counted, escapeMarkdown, printable, quoteCommand } from './text.ts';

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
  '+2.1 ±0.1 µs',
  '-',
  '#5 is one',
];
test.each([
  ...HARMLESS.map((text) => [text, text] as const),
  [
    '_a_ ~b~ &lt; \\| <b> `c` [d] *e*',
    '\\_a\\_ \\~b\\~ &amp;lt; \\\\\\| &lt;b&gt; \\`c\\` \\[d\\] \\*e\\*',
  ],
  ['/__health__ snake_case', '/\\_\\_health\\_\\_ snake_case'],
  ['a\r\n\t b', 'a b'],
  ['+ tracing', '\\+ tracing'],
  ['## of spans', '\\## of spans'],
  ['1. first', '1\\. first'],
] as const)('Markdown shows as it is, on one line: %p', (text, escaped) => {
  expect(escapeMarkdown(text)).toBe(escaped);
});

test('counts', () => {
  expect(counted(1, 'pair')).toBe('1 pair');
  expect(counted(10, 'pair')).toBe('10 pairs');
});

test('a shell reads every word of a quoted command back as it was', () => {
  const words = ['*', '~', '~root', "it's !x", 'a\nb', '', '!', '$HOME', '`id`', '\\', '#x', 'a=b'];
  words.push('{a,b}', '[a]', 'a b', '"', '<x', '>y', '|', '&', ';', '(', 'é', '-n', 'a\tb');
  const line = quoteCommand(['printf', '%s\\0', ...words]);
  expect(Bun.spawnSync(['sh', '-c', line]).stdout.toString().split('\0')).toEqual([...words, '']);
});

test('words that a shell leaves alone are not quoted', () => {
  const line = 'env NAME=value bun --flag=a,b http://127.0.0.1:3000/ 50%';
  expect(quoteCommand(line.split(' '))).toBe(line);
  expect(quoteCommand(["it's"])).toBe("'it'\\''s'");
});
