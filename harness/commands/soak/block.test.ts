import { expect, test } from 'bun:test';
import { OWN_BUN } from '../../processes/child.ts';

test('a stretch that Ctrl-C breaks off is not kept', () => {
  const script = `
    import { endAllChildren } from '../../processes/child.ts';
    import { startBoth } from '../../pair/start.ts';
    import { fakePlan, fakeWorld } from '../../testing/fake-world.ts';
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
