import { expect, test } from 'bun:test';
import { quotationOf } from './quotation.ts';

/** As a build tool draws it: a frame in colours around the place of an error. */
const BUILD = `\u001b[38;5;240m  ╭─[\u001b[0msrc/server.ts:3:1\u001b[38;5;240m]\u001b[0m
\u001b[38;5;240m 3 │\u001b[0m import { a } from './gone';
\u001b[38;5;240m   ·\u001b[0m \u001b[31m──────────┬─────────\u001b[0m
\u001b[31m✘ [ERROR]\u001b[0m Could not resolve "./gone"
\u001b[38;5;240m  ╰────\u001b[0m
⠙ building
1 of 1 files failed
`;

test('colours and frames are left out, and the error stands first', () => {
  const { lines, isWhole } = quotationOf(BUILD);
  expect(lines[0]).toBe('✘ [ERROR] Could not resolve "./gone"');
  expect(lines.join(' ')).not.toMatch(/\p{Cc}\[|[\u2500-\u259f\u2800-\u28ff]/u);
  expect(lines).toContain("3 import { a } from './gone';");
  expect(isWhole).toBe(true);
});

test('where an error was thrown is left out', () => {
  const thrown = "1 | throw new Error('boom');\n          ^\nerror: boom\n      at /x/a.ts:1:7\n";
  expect(quotationOf(thrown)).toEqual({
    lines: ['error: boom', "1 | throw new Error('boom');"],
    isWhole: true,
  });
});

test('of much, the error and the last lines are quoted', () => {
  const before = Array.from({ length: 30 }, (_, at) => `step ${at}`);
  const after = Array.from({ length: 20 }, (_, at) => `note ${at}`);
  const output = [...before, 'TypeError: x is undefined', ...after].join('\n');
  const { lines, isWhole } = quotationOf(output);
  expect(lines).toEqual(['TypeError: x is undefined', ...after.slice(-7)]);
  expect(isWhole).toBe(false);
});

test('the surest name of an error wins over words that may mean none', () => {
  const output = '0 tests failed\nno error in step 1\nSyntaxError: Unexpected token\nbye';
  expect(quotationOf(output).lines[0]).toBe('SyntaxError: Unexpected token');
  expect(quotationOf('open x: permission denied\nbye').lines[0]).toBe('open x: permission denied');
});

test('a bar that is drawn again and again is quoted as it stood last', () => {
  expect(quotationOf('10 %\r50 %\r100 %\r\nready\r\n').lines).toEqual(['100 %', 'ready']);
});

test('a line without end is shortened, and nothing is made of nothing', () => {
  const { lines, isWhole } = quotationOf('x'.repeat(5_000));
  expect(lines[0]?.length).toBeLessThan(400);
  expect(isWhole).toBe(false);
  expect(quotationOf('')).toEqual({ lines: [], isWhole: true });
});
