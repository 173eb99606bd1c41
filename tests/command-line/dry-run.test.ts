// What a run would do, without doing it.
import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { HI } from '../../harness/testing/sources.ts';
import { ROOT } from '../support/short-runs.ts';
import { testConcurrently, Workplace } from '../support/workplace.ts';

test('prints commands that work when pasted, runs none, and leaves nothing', async () => {
  await using place = new Workplace('tracetax test ');
  const env = { NAME: "it's a *" };
  const scenarios = [
    { name: 'a', command: ['bun', 'run', 'a.ts'], env },
    { name: 'b', command: ['bun', 'run', 'b.ts'], env, telemetry: { span: { name: 'GET /' } } },
  ];
  const suite = place.suite({ a: HI, b: HI }, { scenarios });
  const args = ['--suite', suite, '--tool', 'bombardier', '--connections', '7', '--slice', '2s'];
  const tool = { BOMBARDIER: place.bombardier('exit 1') };
  const { stdout, ...ended } = await place.run([...args, '--dry-run', '--no-pin'], tool);
  expect(ended).toEqual({ status: 0, stderr: '' });
  const printed = stdout.replaceAll(process.execPath, 'BUN').replaceAll(place.folder, 'HERE');
  // They are quoted if the clone's path needs it.
  expect(
    printed.replaceAll(ROOT, 'ROOT').replace(/'((?:BUN|ROOT)[^']*)'/g, '$1'),
  ).toMatchSnapshot();
  expect(Bun.spawnSync(['sh', '-n', '-c', stdout]).exitCode).toBe(0);
  const [words] = stdout.match(/'NAME=.*?' (?=HOST)/) ?? [];
  const shown = Bun.spawnSync(['sh', '-c', `env ${words} sh -c 'printf %s "$NAME"'`]);
  expect(shown.stdout.toString()).toBe(env.NAME);
  expect(readdirSync(place.folder).sort()).toEqual([
    'a.ts',
    'b.ts',
    'bombardier',
    'suite.json',
    'tmp',
  ]);
  expect(readdirSync(place.temporary)).toEqual([]);
});

testConcurrently(
  'tells the connections of a sweep, and the rate that is found when a run begins',
  async (place) => {
    const sweep = { load: 'connections', values: [1, 5, 20], unit: 'connection' };
    const args = [
      '--suite',
      place.suite({ a: HI, b: HI }, { sweep }),
      '--rate',
      '29%',
      '--dry-run',
    ];
    const run = await place.run(args, { BOMBARDIER: place.bombardier('exit 1') });
    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(run.stdout).toMatch(/^# At 29 % of the rate .* -c 1 .* -c 5 .* -c 20 /ms);
  },
);
