import { expect, spyOn, test } from 'bun:test';
import { createProgress } from './progress.ts';

test('the time left follows from the plan, which may grow, and from how long the steps so far took', () => {
  let [nowMs, planned] = [0, 1_200];
  using _ = spyOn(performance, 'now').mockImplementation(() => nowMs);
  const lines: string[] = [];
  const stream = { isTTY: false, write: (line: string) => lines.push(line) } as unknown as NodeJS.WriteStream;
  using progress = createProgress(() => planned, stream);
  progress.step('packages');
  nowMs += 500_000;
  progress.step('one', 60);
  nowMs += 120_000;
  progress.step('two', 60);
  nowMs += 60_000;
  planned = 2_520;
  progress.step('three', 60);
  expect(lines).toEqual([
    'packages; 20 min left\n',
    'one; 20 min left\n',
    'two; 38 min left\n',
    'three; 60 min left\n',
  ]);
});
