import { expect, test } from 'bun:test';
import { Child } from '../processes/child.ts';
import { checkConnections, checkConnectionsOfServer } from './limits.ts';

const filesOf = (most: number | string) =>
  `Limit                     Soft Limit           Hard Limit           Units
Max processes             unlimited            unlimited            processes
Max open files            ${most}                 ${most}                files
`;

test.each([
  [filesOf(1_024), undefined],
  [filesOf('unlimited'), undefined],
  [undefined, '32768\t60999\n'],
])('1,000 connections are not refused where they may do: %j', (processLimits, clientPorts) => {
  expect(() => checkConnections(1_000, { processLimits, clientPorts })).not.toThrow();
});

test.each([
  [
    filesOf(256),
    undefined,
    '1000 connections need more open files than the 256 that a process may have',
  ],
  [filesOf(1_000), undefined, 'than the 1000 that a process may have'],
  [undefined, '60000\t60099\n', '1000 connections need more ports than the 100 that clients get'],
])(
  '1,000 connections are refused where they can not do: %j',
  (processLimits, clientPorts, text) => {
    expect(() => checkConnections(1_000, { processLimits, clientPorts })).toThrow(text);
  },
);

test('a server that may open fewer files than it has connections is refused, unless processes share them', async () => {
  const start = (script: string) => new Child(['bash', '-c', `ulimit -n 40; ${script}`]);
  await using alone = start('sleep 60 & wait');
  await using several = start('sleep 60 & sleep 60 & wait');
  const check = (child: Child, pid = child.pid) =>
    checkConnectionsOfServer('base', { pid, child }, 90);
  const [sleep] = await childrenOf(alone, 1);
  await childrenOf(several, 2);
  expect(() => check(alone, sleep)).toThrow("base can't hold 90 connections: it may open 40 files");
  expect(() => check(several)).not.toThrow();
});

/** Returns the process ids of what a process has started, once it has started so many. */
async function childrenOf({ pid }: Child, count: number): Promise<number[]> {
  while (true) {
    const text = await Bun.file(`/proc/${pid}/task/${pid}/children`).text();
    const children = text.match(/\d+/g) ?? [];
    if (children.length >= count) return children.map(Number);
    await Bun.sleep(2);
  }
}
