import { expect, spyOn, test } from 'bun:test';
import { createProgress } from './progress.ts';

function watched(planned: { kind: string; seconds: number }[], atMostSeconds?: number) {
  let nowMs = 0;
  const clock = spyOn(performance, 'now').mockImplementation(() => nowMs);
  const lines: string[] = [];
  const stream = {
    isTTY: false,
    write: (line: string) => lines.push(line.trim()),
  } as unknown as NodeJS.WriteStream;
  const progress = createProgress(planned, stream, atMostSeconds);
  const take = (name: string, seconds: number, kind?: string) => {
    progress.step(name, kind);
    nowMs += seconds * 1e3;
  };
  return {
    take,
    lines,
    progress,
    [Symbol.dispose]: () => [progress[Symbol.dispose](), clock.mockRestore()],
  };
}

test('the time left is as planned, then by what steps of a kind took, and so many as are still expected', () => {
  using run = watched(Array.from({ length: 20 }, () => ({ kind: 'one', seconds: 60 })));
  run.take('packages', 500);
  run.take('first', 120, 'one');
  run.take('second', 60, 'one');
  run.progress.expect('one', 8, 60);
  run.take('third', 60, 'one');
  expect(run.lines).toEqual([
    'packages; 20 min left',
    'first; 20 min left',
    'second; 38 min left',
    'third; 12 min left',
  ]);
});

test('the time left is never more than the time that a run may take', () => {
  using run = watched([{ kind: 'one', seconds: 600 }], 300);
  run.take('first', 120, 'one');
  run.progress.expect('one', 4, 600);
  run.take('second', 120, 'one');
  expect(run.lines).toEqual(['first; 5 min left', 'second; 3 min left']);
});

test('once each row had a pair, it is right within 20 %, however much rows differ', () => {
  const rows = { bare: 11, slow: 75, noisy: 30 };
  const kinds = Array.from({ length: 10 }, () => Object.keys(rows)).flat() as (keyof typeof rows)[];
  using run = watched(kinds.map((kind) => ({ kind, seconds: 10 })));
  const took = kinds.map((kind, at) => rows[kind] * (1 + 0.15 * Math.sin(at * 2.4)));
  for (const [at, kind] of kinds.entries()) run.take(kind, took[at] ?? 0, kind);
  for (const [at, line] of run.lines.entries()) {
    const left = took.slice(at).reduce((sum, seconds) => sum + seconds, 0);
    const [, value, unit] = /([\d.]+) (s|min) left/.exec(line) ?? [];
    const shown = Number(value) * (unit === 'min' ? 60 : 1);
    // No two pairs take the same: of the last few nobody knows better.
    if (at >= 3 && at < kinds.length - 5) expect(shown / left).toBeWithin(0.8, 1.2);
  }
});
