import { expect, test } from 'bun:test';
import { readText } from '../words/files.ts';
import { Child, OWN_BUN } from './child.ts';
import { pauseTree, resumeTree } from './pause.ts';
import { livingOf } from './processes.ts';

/** The letter by which /proc/PID/stat tells the state; undefined if there is no such process. */
function stateOf(pid: number): string | undefined {
  return /\) (\w)/.exec(readText(`/proc/${pid}/stat`) ?? '')?.[1];
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await Bun.sleep(2);
}

/** A script is under way once its processes sleep: before, a shell may still start others. */
const sleepersOf = (child: Child) => livingOf(child.pid).filter(({ name }) => name === 'sleep');
const pidsOf = (child: Child) => livingOf(child.pid).map(({ pid }) => pid);
const areStopped = (pids: number[]) => pids.every((pid) => stateOf(pid) === 'T');
/** A shell that forks by vfork(2) waits unstopped (D) for as long as what it forked is stopped. */
const areAtRest = (pids: number[]) => pids.every((pid) => /[TD]/.test(stateOf(pid) ?? ''));
const isNoneStopped = (pids: number[]) => pids.every((pid) => stateOf(pid) !== 'T');

test.each([
  ['one process', 'exec sleep 60', 1, 1],
  ['workers', 'sleep 60 & sleep 60 & wait', 3, 2],
  ['a worker in a session of its own', 'setsid sleep 60 & wait', 2, 1],
  ['a worker in a process group of its own', 'set -m; sleep 60 & wait', 2, 1],
  ['a worker that lost its parent', '(setsid sleep 60 &) ; exec sleep 60', 2, 2],
])(
  '%s: all stop together, go on together, and nothing else stops',
  async (_, script, count, sleepers) => {
    await using beside = new Child(['sleep', '60']);
    await using child = new Child(['bash', '-c', script], { isServer: true });
    await until(() => pidsOf(child).length === count && sleepersOf(child).length === sleepers);
    const pids = pidsOf(child);
    pauseTree(child.pid);
    await until(() => areStopped(pids));
    expect(stateOf(beside.pid)).not.toBe('T');
    resumeTree(child.pid);
    await until(() => isNoneStopped(pids));
  },
);

test('what starts while all are stopped is stopped, too', async () => {
  // They end by themselves: on a busy machine, forks without end would leave no process number.
  const forks = 'for fork in $(seq 2000); do (setsid sleep 0.02 &) ; sleep 0.003; done';
  await using child = new Child(['sh', '-c', `setsid sh -c '${forks}' & wait`], { isServer: true });
  await until(() => pidsOf(child).length > 4);
  for (let time = 0; time < 5; time++) {
    pauseTree(child.pid);
    // What was about to end when it was stopped may be gone.
    await until(() => areAtRest(pidsOf(child)));
    const pids = pidsOf(child);
    await Bun.sleep(10);
    expect(pidsOf(child)).toEqual(pids);
    resumeTree(child.pid);
    await until(() => isNoneStopped(pids));
  }
});

test('what is stopped, wherever it has gone, ends with a harness that is killed', async () => {
  const stray = 'env -i setsid /bin/sleep 60';
  const script = `
    import { Child } from '${import.meta.dir}/child.ts';
    import { pauseTree } from '${import.meta.dir}/pause.ts';
    import { livingOf } from '${import.meta.dir}/processes.ts';
    const child = new Child(['sh', '-c', '${stray} & sleep 60 & wait'], { isServer: true });
    const names = () => livingOf(child.pid).map(({ name }) => name).join();
    while (!/sh,sleep,sleep/.test(names().split(',').sort().join())) await Bun.sleep(2);
    pauseTree(child.pid);
    console.log(livingOf(child.pid).map(({ pid }) => pid).join());
    process.kill(process.pid, 'SIGKILL');`;
  const pids = Bun.spawnSync([...OWN_BUN, '-e', script])
    .stdout.toString()
    .split(',')
    .map(Number);
  expect(pids).toHaveLength(3);
  await until(() => pids.every((pid) => [undefined, 'Z'].includes(stateOf(pid))));
});

test('nothing is stopped any more once the run is ending', () => {
  const script = `
    import { Child, endAllChildren } from '${import.meta.dir}/child.ts';
    import { pauseTree } from '${import.meta.dir}/pause.ts';
    const child = new Child(['sleep', '60'], { isServer: true });
    pauseTree(child.pid);
    const ending = endAllChildren();
    try { pauseTree(child.pid); } catch (error) { console.log(error.message); }
    await ending;
    console.log((await child.exited).description);`;
  expect(Bun.spawnSync([...OWN_BUN, '-e', script]).stdout.toString()).toBe(
    'the run is ending: nothing more is started\nsignal SIGTERM\n',
  );
});
