import { expect, spyOn, test } from 'bun:test';
import { createProgress } from './progress.ts';

test('the time left follows from how long the steps before took', () => {
  let nowMs = 0;
  using _ = spyOn(performance, 'now').mockImplementation(() => nowMs);
  const lines: string[] = [];
  const stream = { isTTY: false, write: (line: string) => lines.push(line) } as unknown as NodeJS.WriteStream;
  using progress = createProgress(() => 1_200, stream);
  progress.step('packages');
  nowMs += 500_000;
  progress.step('one', 60);
  nowMs += 180_000;
  progress.step('two', 60);
  expect(lines).toEqual(['packages; 20 min left\n', 'one; 20 min left\n', 'two; 38 min left\n']);
});

test('a plan may grow', () => {
  let planned = 60;
  const lines: string[] = [];
  const stream = { isTTY: false, write: (line: string) => lines.push(line) } as unknown as NodeJS.WriteStream;
  using progress = createProgress(() => planned, stream);
  progress.step('one', 60);
  planned = 120;
  progress.step('two', 60);
  expect(lines.map((line) => line.split('; ')[0])).toEqual(['one', 'two']);
  expect(lines[1]).not.toContain(' 0 s left');
});
