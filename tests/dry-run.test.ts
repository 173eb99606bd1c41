// What a run would do, without doing it.
import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { HI, ROOT, Workplace } from './bench.ts';

/** The lines of a dry run that are commands, without what differs from machine to machine. */
const commandsIn = (stdout: string, place: Workplace) =>
  stdout
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.replaceAll(process.execPath, 'BUN').replaceAll(place.folder, 'HERE').replaceAll(ROOT, 'ROOT'));

test('prints commands that work when pasted, runs none, and leaves nothing', async () => {
  await using place = new Workplace('tracetax test ');
  const env = { NAME: "it's a *" };
  const span = { telemetry: { span: { name: 'GET /' } } };
  const scenarios = [
    { name: 'a', command: ['bun', 'run', 'a.ts'], env },
    { name: 'b', command: ['bun', 'run', 'b.ts'], env, ...span },
  ];
  const suite = place.suite({ a: HI, b: HI }, { scenarios });
  const tool = place.bombardier('exit 1');
  const args = [
    '--suite',
    suite,
    '--tool',
    'bombardier',
    '--connections',
    '7',
    '--slice',
    '2s',
    '--dry-run',
    '--no-pin',
  ];
  const run = await place.run(args, { BOMBARDIER: tool });
  expect(run).toMatchObject({ status: 0, stderr: '' });
  expect(run.stdout).toMatch(/^# bombardier v0 .* on free ports\.$/m);
  const commands = commandsIn(run.stdout, place);
  expect(commands.join('\n')).toMatchSnapshot();
  for (const command of commands) expect(Bun.spawnSync(['sh', '-n', '-c', command]).exitCode).toBe(0);
  const [words] = commands[0]?.match(/'NAME=.*?' (?=HOST)/) ?? [];
  const shown = Bun.spawnSync(['sh', '-c', `env ${words} sh -c 'printf %s "$NAME"'`]).stdout.toString();
  expect(shown).toBe(env.NAME);
  expect(readdirSync(place.folder).sort()).toEqual(['a.ts', 'b.ts', 'bombardier', 'suite.json', 'tmp']);
  expect(readdirSync(place.temporary)).toEqual([]);
});

test('tells the connections and the rate of a sweep, and what would be marked', async () => {
  await using place = new Workplace();
  const sweep = { load: 'connections', values: [1, 5, 20], unit: 'connection' };
  const args = [
    '--suite',
    place.suite({ a: HI, b: HI }, { sweep }),
    '--tool',
    'bombardier',
    '--rate',
    '29%',
    '--quick',
  ];
  const run = await place.run([...args, '--dry-run', '--no-keep-awake', '--no-pin'], {
    BOMBARDIER: place.bombardier('exit 1'),
  });
  expect(run).toMatchObject({ status: 0, stderr: '' });
  expect(run.stdout).toMatch(/ -c 1 .* -c 5 .* -c 20 /s);
  expect(run.stdout).toMatch(/^# At 29 % of the rate/m);
  expect(run.stdout).toMatch(/^# 0 of 20 pairs measured/m);
  expect(run.stdout.match(/^# Warning: /gm)?.length).toBe(3);
});

test('wrk opens all connections, with fewer threads if they do not divide', async () => {
  await using place = new Workplace();
  const asked = ['--tool', 'wrk', '--no-pin', '--connections', '7'];
  const run = await place.run(['--suite', place.suite({ a: HI }), '--dry-run', ...asked]);
  expect(run.stdout).toMatch(/wrk -t [17] -c 7 /);
});

test.each([
  ['help', ['--help'], 0],
  ['help of compare', ['compare', '--help'], 0],
  ['a measuring option on results', ['compare', 'a', 'b', '--pairs', '3', '--suite', 'x'], 2],
  ['--force on a measurement', ['compare', '--git', 'HEAD', '--force'], 2],
  ['results and a revision', ['compare', 'a', '--git', 'HEAD'], 2],
  ['--force on one result', ['compare', 'a', '--force'], 2],
  ['--allow-missing without a limit', ['compare', 'a', 'b', '--allow-missing'], 2],
  ['nothing to compare', ['compare'], 2],
  ['a measuring option on profiles', ['explain', '--from', 'a', '--pairs', '3'], 2],
  ['--check without a document', ['report', 'a', '--check'], 2],
  ['a format of a page', ['report', 'a', '--html', 'b.html', '--format', 'full'], 2],
  ['a suite for calibrate', ['calibrate', '--suite', 'levels'], 2],
])('%s', async (_, args, status) => {
  await using place = new Workplace();
  const run = await place.run(args);
  expect(run.status).toBe(status);
  expect(run.stdout + run.stderr).toMatchSnapshot();
});

test('--version prints that of the package', async () => {
  await using place = new Workplace();
  const { version } = await Bun.file(`${ROOT}/package.json`).json();
  expect(await place.run(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
});
