import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Child } from '../processes/child.ts';
import { temporaryFolder } from '../processes/watchdog.ts';
import { compilerNsBetween, readThreads } from './threads.ts';

test('a process that compiles shows it, and one that is not there tells nothing', async () => {
  const script = join(temporaryFolder(), 'hot.js');
  writeFileSync(
    script,
    `const make = (n) => new Function(
       'x',
       'let s = x; for (let i = 0; i < 99; i++) s = (s * 31 + i + ' + n + ') | 0; return s',
     );
     setInterval(() => {
       const f = make(Math.random());
       for (let i = 0; i < 20000; i++) f(i);
     }, 1);`,
  );
  await using child = new Child([process.execPath, script]);
  const usedNs = () => compilerNsBetween(new Map(), readThreads(child.pid)) ?? 0;
  while (usedNs() < 1e6) await Bun.sleep(50);
  expect(readThreads(2 ** 22 + 1).size).toBe(0);
});

test('compiler time counts new threads from zero, without ended ones and those of other work', () => {
  const times = (...of: [number, string, number][]) =>
    new Map(of.map(([thread, name, ns]) => [thread, { name, ns, waitedNs: 0 }]));
  const before = times([1, 'JITWorker', 5], [2, 'JITWorker', 7]);
  const after = times(
    [1, 'JITWorker', 8],
    [3, 'V8Worker', 2],
    [4, 'bun', 9],
    [5, 'JSCWarmUp', 9],
    [6, 'C2 CompilerThre', 4],
  );
  expect(compilerNsBetween(before, after)).toBe(7);
});
