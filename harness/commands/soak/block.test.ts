import { expect, test } from 'bun:test';
import { startBoth } from '../../pair/arms.ts';
import { OWN_BUN } from '../../processes/child.ts';
import { fakeRows } from '../../testing/fake-plan.ts';
import { fakeWorld } from '../../testing/fake-world.ts';
import { measureBlock } from './block.ts';

test('a stretch that Ctrl-C breaks off is not kept', () => {
  const script = `
    import { endAllChildren } from '../../processes/child.ts';
    import { startBoth } from '../../pair/arms.ts';
    import { fakePlan } from '../../testing/fake-plan.ts';
    import { fakeWorld } from '../../testing/fake-world.ts';
    import { measureBlock } from './block.ts';
    const { world } = fakeWorld();
    const runLoad = (...given) => endAllChildren().then(() => world.runLoad(...given));
    const broken = { ...world, runLoad };
    const pair = { row: fakePlan().rows[1], startedFirst: 'scenario' };
    const { scenario } = await startBoth(broken, pair);
    const load = { requests: [], connections: 1, durationSeconds: 1 };
    await measureBlock(broken, scenario, load, 0).catch(({ message }) => console.log(message));`;
  const { stdout } = Bun.spawnSync([...OWN_BUN, '-e', script], { cwd: import.meta.dir });
  expect(stdout.toString()).toStartWith('the run is ending');
});

test.each([
  [[], 'Scenario other ended under load: with signal SIGKILL'],
  [['other'], 'Scenario other ran out of memory under load: its container may use 300 MiB'],
])('why a server ended is told: %j', async (outOfMemory, text) => {
  const memory = { limitBytes: 300 * 2 ** 20, takenBytes: 0 };
  const container = { cpu: null, memory };
  const { world } = fakeWorld({ ending: ['other'], outOfMemory, container });
  const row = fakeRows()[1] as ReturnType<typeof fakeRows>[number];
  const sides = { startedFirst: 'scenario', loadedFirst: 'scenario' } as const;
  await using arms = await startBoth(world, { row, ...sides });
  const load = { requests: [], connections: 1, durationSeconds: 1 };
  await expect(measureBlock(world, arms.scenario, load, 0)).rejects.toThrow(text);
});
