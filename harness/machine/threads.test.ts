import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compilerNsBetween, readThreads } from './threads.ts';

test.skipIf(process.platform !== 'linux')('a process that compiles shows it', async () => {
  const work = `
    const make = (n) => new Function('x', 'let s = x; for (let i = 0; i < 99; i++) s = (s * 31 + i + ' + n + ') | 0; return s');
    setInterval(() => { const f = make(Math.random()); for (let i = 0; i < 20000; i++) f(i); }, 1);`;
  const folder = mkdtempSync(join(tmpdir(), 'tracetax-test-'));
  writeFileSync(join(folder, 'hot.js'), work);
  const child = Bun.spawn(['bun', join(folder, 'hot.js')]);
  const before = new Map();
  const used = () => compilerNsBetween(before, readThreads(child.pid));
  for (let waitedMs = 0; waitedMs < 4_000 && used() < 1e6; waitedMs += 50) await Bun.sleep(50);
  const compiledNs = used();
  child.kill();
  await child.exited;
  rmSync(folder, { recursive: true });
  expect(compiledNs).toBeGreaterThanOrEqual(1e6);
});

const time = (name: string, ns: number) => ({ name, ns, waitedNs: 0 });

test('a thread that is new counts from zero; one that ended is left out, and so are those that do not compile', () => {
  const before = new Map([
    [1, time('JITWorker', 5)],
    [2, time('JITWorker', 7)],
  ]);
  const after = new Map([
    [1, time('JITWorker', 8)],
    [3, time('V8Worker', 2)],
    [4, time('bun', 9)],
    [5, time('JSCWarmUp', 9)],
  ]);
  expect(compilerNsBetween(before, after)).toBe(5);
});

test('a process that is not there tells nothing', () => {
  expect(readThreads(2 ** 22 + 1).size).toBe(0);
});
