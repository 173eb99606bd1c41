import { expect, test } from 'bun:test';
import { groupMembers, parseProcStat } from './processes.ts';

test('a name with spaces and parentheses does not shift the fields', () => {
  const stat = '42 (a) b (c)) S 1 41 41 0 -1 4194304 1 2 3 4 50 60 7 8 20 0 1 0 100 1000 10 18446744073709551615 0';
  expect(parseProcStat(42, stat)).toEqual({ pid: 42, groupId: 41, endedChildrenNs: 15 * 1e7 });
});

test('a process group has its leader and its children', async () => {
  const child = Bun.spawn(['sh', '-c', 'sleep 5 & echo started; wait'], { detached: true, stdout: 'pipe' });
  try {
    await child.stdout.getReader().read();
    const members = groupMembers(child.pid).map(({ pid }) => pid);
    expect(members).toContain(child.pid);
    expect(members.length).toBe(2);
  } finally {
    process.kill(-child.pid, 'SIGKILL');
    await child.exited;
  }
  while (groupMembers(child.pid).length > 0) await Bun.sleep(5);
});
