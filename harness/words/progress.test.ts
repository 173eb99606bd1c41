import { expect, spyOn, test } from 'bun:test';
import { createProgress } from './progress.ts';

function watched(plannedSeconds: number) {
  let nowMs = 0;
  const clock = spyOn(performance, 'now').mockImplementation(() => nowMs);
  const lines: string[] = [];
  const stream = { isTTY: false, write: (line: string) => lines.push(line.trim()) } as unknown as NodeJS.WriteStream;
  const progress = createProgress(plannedSeconds, stream);
  const take = (name: string, seconds: number, planned: number) => {
    progress.step(name, planned);
    nowMs += seconds * 1e3;
  };
  return { take, lines, progress, [Symbol.dispose]: () => [progress[Symbol.dispose](), clock.mockRestore()] };
}

test('the time left is planned, then as much longer as steps were; what is not needed takes none', () => {
  using run = watched(20 * 60);
  run.take('first', 120, 60);
  run.take('second', 60, 60);
  run.progress.skip(8 * 60);
  run.take('third', 60, 60);
  run.take('last', 60, 600);
  expect(run.lines).toEqual(['first; 20 min left', 'second; 38 min left', 'third; 15 min left', 'last; 12 min left']);
});

test('once each row had a pair, it is right within 30 %, however much rows differ', () => {
  const rows = [11, 75, 30];
  const took = Array.from({ length: 30 }, (_, at) => (rows[at % 3] ?? 0) * (1 + 0.15 * Math.sin(at * 2.4)));
  using run = watched(30 * 10);
  for (const seconds of took) run.take('pair', seconds, 10);
  for (const [at, line] of run.lines.entries()) {
    const left = took.slice(at).reduce((sum, seconds) => sum + seconds, 0);
    const [, value, unit] = /([\d.]+) (s|min) left/.exec(line) ?? [];
    const told = Number(value) * (unit === 'min' ? 60 : 1);
    // No two pairs take the same: of the last few nobody knows better.
    if (at >= 3 && at < took.length - 5) expect(told / left).toBeWithin(0.7, 1.3);
  }
});
