import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { cpuBetween, readTree } from '../machine/process-clock.ts';
import { testFolder } from '../testing/folder.ts';
import { Child } from './child.ts';
import {
  adopt,
  livingOf,
  type Process,
  parseProcStat,
  processes,
  WATCHDOG_VARIABLE,
} from './processes.ts';

const { path } = testFolder();

test('a name with spaces and parentheses does not shift the fields', () => {
  const stat =
    '42 (a) b (c)) S 1 41 40 0 -1 4194304 1 2 3 4 50 60 7 8 20 0 1 0 100 1000 10 18446744073709551615 0';
  const times = { userNs: 57e7, systemNs: 68e7, endedChildrenNs: 15e7 };
  const process = {
    pid: 42,
    name: 'a) b (c)',
    hasEnded: false,
    parent: 1,
    group: 41,
    session: 40,
    ...times,
    key: '42 100',
  };
  expect(parseProcStat(42, stat)).toEqual(process);
});

const BURN = 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done';

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await Bun.sleep(5);
}

const SIGTERM = { signal: 'SIGTERM' };
const ANY_EXIT = {};

test.each([
  ['children', 'sleep 60 & sleep 60', 2, SIGTERM],
  ['in a session of its own', 'setsid sleep 60 & wait', 1, SIGTERM],
  ['in a process group of its own', "bash -c 'set -m; sleep 60 & wait'", 1, SIGTERM],
  ['that lost its parents', '(setsid sleep 60 &) ; sleep 60', 2, SIGTERM],
  [
    'that ignores SIGTERM',
    "trap '' TERM; (setsid sh -c 'while :; do sleep 0.1; done' &) ; trap - TERM; sleep 60",
    2,
    SIGTERM,
  ],
  ['of a child that has ended', 'setsid --fork sleep 60', 1, ANY_EXIT],
])(
  'processes %s belong to a child, and end with it',
  async (_, script, sleepers, exit) => {
    const child = new Child(['sh', '-c', script], { isServer: true, endWithinMs: 3_000 });
    const isSleeper = ({ name }: Process) => name === 'sleep';
    await until(() => livingOf(child.pid).filter(isSleeper).length >= sleepers);
    const pids = livingOf(child.pid).map(({ pid }) => pid);
    expect(child.exit).toBeUndefined();
    await child.stop();
    expect(child.exit).toMatchObject(exit);
    expect(livingOf(child.pid)).toEqual([]);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow();
  },
  120_000,
);

test('a daemon that a build leaves is of no server after it', async () => {
  const build = new Child(['setsid', '--fork', 'sleep', '60']);
  await build.exited;
  const daemons = () => livingOf(build.pid).filter(({ session }) => session !== build.pid);
  await until(() => daemons().length === 1);
  await build.stop();
  await using server = new Child(['sleep', '60'], { isServer: true });
  const adopted = adopt(server.pid);
  const members = livingOf(server.pid).map(({ pid }) => pid);
  for (const { pid } of daemons()) process.kill(pid);
  await until(() => daemons().length === 0);
  expect({ adopted, members }).toEqual({ adopted: [], members: [server.pid] });
});

test('the watchdog of a test file that ran before is adopted by no child', async () => {
  const env = { ...process.env, [WATCHDOG_VARIABLE]: 'x' };
  const watchdog = Bun.spawn(['sleep', '60'], { env, detached: true });
  await using child = new Child(['sleep', '60'], { isServer: true });
  await until(() => processes().get(watchdog.pid)?.name === 'sleep');
  const adopted = adopt(child.pid).map(({ pid }) => pid);
  watchdog.kill();
  await watchdog.exited;
  expect(adopted).not.toContain(watchdog.pid);
});

test('an orphan that ended is counted, if it was seen before', async () => {
  const go = path('go');
  Bun.spawnSync(['mkfifo', go]);
  const burn = `setsid sh -c 'read x < ${go}; ${BURN}; echo done' &`;
  await using child = new Child(['sh', '-c', `(${burn}) ; sleep 60`], { isServer: true });
  await until(() => livingOf(child.pid).length === 3);
  const before = readTree(child.pid);
  writeFileSync(go, 'x\n');
  await until(() => child.output.stdout().includes('done'));
  expect(cpuBetween(before, readTree(child.pid)).ns).toBeGreaterThan(20e6);
});

test.each([
  [
    'has another environment',
    "(env -i setsid -f sh -c 'echo $$; exec sleep 60') ; sleep 60",
    false,
  ],
  ['ended before it was seen', `(setsid sh -c 'echo $$; ${BURN}' &) ; sleep 60`, true],
])("an orphan that %s is nobody's until it is adopted", async (_, script, hasEnded) => {
  const child = new Child(['sh', '-c', script], { isServer: true });
  // It writes its number: other tests may have left orphans of the same name.
  const isTheOrphan = (each: Process) =>
    each.pid === Number(child.output.stdout()) &&
    each.parent === process.pid &&
    each.hasEnded === hasEnded;
  await until(() => [...processes().values()].some(isTheOrphan));
  const orphan = adopt(child.pid).find(isTheOrphan);
  expect(orphan).toBeDefined();
  expect(adopt(child.pid)).toEqual([]);
  await child.stop();
  expect(() => process.kill(Number(orphan?.pid), 0)).toThrow();
});
