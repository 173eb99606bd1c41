// What a run would do, without doing it.
import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { HI, Workplace } from './bench.ts';

test('prints commands that work when pasted, runs none, and leaves nothing', async () => {
  await using place = new Workplace('tracetax test ');
  const env = { NAME: "it's a *" };
  const scenarios = ['a', 'b'].map((name) => ({ name, command: ['bun', 'run', `${name}.ts`], env }));
  const suite = place.suite({ a: HI, b: HI }, { scenarios });
  const tool = place.bombardier('exit 1');
  const args = ['--suite', suite, '--tool', 'bombardier', '--connections', '7', '--slice', '2s', '--dry-run'];
  const run = await place.run([...args, '--seed', '3'], { BOMBARDIER: tool });
  expect(run).toMatchObject({ status: 0, stderr: '' });
  expect(run.stdout).toMatch(/^# bombardier v0 .* on free ports\.$/m);
  expect(run.stdout).toContain('seed 3');
  const commands = run.stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(commands.length).toBe(2 * 6);
  expect(commands[0]).toContain(
    `(cd '${place.folder}' && NAME='it'\\''s a *' HOST=127.0.0.1 PORT=3000 NODE_ENV=production `,
  );
  expect(commands[0]).toEndWith('bun run a.ts)');
  expect(commands[2]).toEndWith('-c 7 -d 2s --latencies --print result --format json http://127.0.0.1:3000/');
  expect(commands.at(-1)).toMatch(/-c 4 -d 2s .* http:\/\/127\.0\.0\.1:3001\/$/);
  for (const command of commands) expect(Bun.spawnSync(['sh', '-n', '-c', command]).exitCode).toBe(0);
  const [words] = commands[0]?.match(/NAME='.*?' (?=HOST)/) ?? [];
  const shown = Bun.spawnSync(['sh', '-c', `${words}; printf %s "$NAME"`]).stdout.toString();
  expect(shown).toBe(env.NAME);
  expect(readdirSync(place.folder).sort()).toEqual(['a.ts', 'b.ts', 'bombardier', 'suite.json', 'tmp']);
  expect(readdirSync(place.temporary)).toEqual([]);
});

test('tells the connections and the rate of a sweep', async () => {
  await using place = new Workplace();
  const sweep = { load: 'connections', values: [1, 5, 20], unit: 'connection' };
  const args = ['--suite', place.suite({ a: HI, b: HI }, { sweep }), '--tool', 'bombardier', '--rate', '29%'];
  const run = await place.run([...args, '--dry-run'], { BOMBARDIER: place.bombardier('exit 1') });
  expect(run).toMatchObject({ status: 0, stderr: '' });
  expect(run.stdout).toMatch(/ -c 1 .* -c 5 .* -c 20 /s);
  expect(run.stdout).toMatch(/^# At 29 % of the rate/m);
});

test('tells what would be marked: a quick run, and cores that may sleep', async () => {
  await using place = new Workplace();
  const suite = place.suite({ a: HI });
  const run = await place.run(['--suite', suite, '--dry-run', '--quick', '--no-keep-awake', '--no-pin']);
  expect(run.status).toBe(0);
  expect(run.stdout).toMatch(/^# Idle cores could sleep: switched off with --no-keep-awake\.$/m);
  expect(run.stdout).toContain('# 0 of 5 pairs measured');
  expect(run.stdout).toMatch(/^# Warning: This was a quick run/m);
  expect(run.stdout).toMatch(/^# Warning: Idle cores could sleep/m);
  expect(run.stdout).toMatch(/^# Warning: Server and load tool share cores/m);
});

test.skipIf(!Bun.which('wrk'))('wrk opens all connections, with fewer threads if they do not divide', async () => {
  await using place = new Workplace();
  const asked = ['--tool', 'wrk', '--no-pin', '--connections', '7'];
  const run = await place.run(['--suite', place.suite({ a: HI }), '--dry-run', ...asked]);
  expect(run.stdout).toContain('with 7 connections');
  expect(run.stdout).toMatch(/wrk -t [17] -c 7 /);
});

test('a server is told how to export, and comes after its sink if it has one', async () => {
  await using place = new Workplace();
  const { status, stdout } = await place.run(['--suite', 'export', '--dry-run', '--no-pin']);
  expect(status).toBe(0);
  const commands = stdout.split('\n');
  const sinks = commands.flatMap((command, index) => (/sink-main\.ts'? 4319/.test(command) ? [index] : []));
  const servers = sinks.map((index) => commands[index + 1] as string);
  const exporting = (mode: string) => servers.filter((command) => command.includes(` OTEL_TRACES_EXPORTER=${mode} `));
  expect([exporting('none').length, exporting('otlp').length]).toEqual([2, 2]);
  for (const command of exporting('otlp'))
    expect(command).toContain('OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4319 ');
  for (const command of exporting('none'))
    expect(command).toContain('OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=http://127.0.0.1:4319/v1/metrics ');
});
