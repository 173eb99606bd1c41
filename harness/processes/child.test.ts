import { expect, test } from 'bun:test';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { testFolder } from '../testing/folder.ts';
import { Problem } from '../words/errors.ts';
import { Child, OWN_BUN } from './child.ts';

const { path } = testFolder();

function start(script: string): Child {
  return new Child(['sh', '-c', script]);
}

test('stopping twice, at once or later, is harmless', async () => {
  const child = start('sleep 60');
  await Promise.all([child.stop(), child.stop()]);
  await child.stop();
  expect(child.exit?.signal).toBe('SIGTERM');
});

test('a server that goes into the background step by step has not ended', async () => {
  const file = path('ready');
  const last = `python3 -c "import time; time.sleep(0.1); open('${file}', 'w'); time.sleep(60)"`;
  const steps = 'import os\nfor _ in range(4):\n  if os.fork(): os._exit(0)\n  os.setsid()\n';
  const argv = `['sh', '-c', ${JSON.stringify(last)}]`;
  const script = `${steps}os.execve('/bin/sh', ${argv}, {'PATH': os.environ['PATH']})`;
  const child = new Child(['python3', '-c', script], { isServer: true });
  expect(await child.readinessFailure('was ready', () => existsSync(file), 10_000)).toBeUndefined();
  await child.stop();
});

test('a service in the background is of no server, and may finish at the end of the run', () => {
  const up = path('up');
  const last = path('last-of-service');
  const daemon = `trap 'echo x >${last}; exit' TERM; echo >${up}; while :; do sleep 0.05; done`;
  const script = `
    import { existsSync } from 'node:fs';
    import { Child, endAllChildren } from '${import.meta.dir}/child.ts';
    import { adopt } from '${import.meta.dir}/processes.ts';
    const argv = ['env', '-i', 'PATH=/usr/bin:/bin', 'setsid', '--fork', 'sh', '-c', \`${daemon}\`];
    const service = new Child(argv);
    await service.readinessFailure('was up', () => existsSync('${up}'), 10_000);
    adopt(service.pid);
    await new Child(['true'], { isServer: true }).stop();
    console.log(existsSync('${last}'));
    await endAllChildren();`;
  expect(Bun.spawnSync([...OWN_BUN, '-e', script]).stdout.toString()).toBe('false\n');
  expect(readFileSync(last, 'utf8')).toBe('x\n');
});

test.each([
  [
    'in a session and environment of its own',
    ['env', '-i', 'PATH=/usr/bin:/bin', 'setsid', '--fork'],
  ],
  ['in a session of its own', ['setsid', '--fork']],
])('what a build starts %s is of no server, and lives on', async (what, way) => {
  const suffix = what.replaceAll(' ', '-');
  const up = path(`up-${suffix}`);
  const last = path(`last-${suffix}`);
  const daemon = `trap 'echo x >${last}; exit' TERM; echo >${up}; while :; do sleep 0.05; done`;
  const script = `
    import { existsSync } from 'node:fs';
    import { Child, endAllChildren } from '${import.meta.dir}/child.ts';
    import { adopt } from '${import.meta.dir}/processes.ts';
    await using build = new Child([...${JSON.stringify(way)}, 'sh', '-c', \`${daemon}\`]);
    await build.exited;
    while (!existsSync('${up}')) await Bun.sleep(5);
    await build.stop();
    const server = new Child(['sleep', '60'], { isServer: true });
    adopt(server.pid);
    await server.stop();
    console.log(existsSync('${last}'));`;
  const run = Bun.spawnSync([...OWN_BUN, '-e', script], { timeout: 30_000 });
  expect(run.stdout.toString()).toBe('false\n');
  // A watchdog would need less.
  await Bun.sleep(500);
  const stopped = Bun.spawnSync(['pkill', '--full', `echo x >${last}`]);
  expect(stopped.exitCode).toBe(0);
});

test('output is freed once it is much, and the last lines are kept', async () => {
  await using child = start('echo first; while :; do echo line; sleep 0.05; done');
  while (!child.output.stdout().includes('first')) await Bun.sleep(5);
  child.output.trim();
  expect(child.output.stdout()).toStartWith('first');
  child.output.trim(3);
  while (!child.output.stdout().endsWith('line\n')) await Bun.sleep(5);
  expect(child.output.stdout()).not.toContain('first');
  expect(child.output.lastLines()).toEndWith('line');
});

test('a child that is killed at its time limit says so', async () => {
  await using child = new Child(['sleep', '60'], { timeoutMs: 100 });
  expect((await child.exited).description).toBe('signal SIGKILL, after 0.1 s at most');
});

test('what the shell of a server has started may finish its work', async () => {
  const file = path('last');
  const trap = `trap 'sleep 0.2; echo x >${file}; exit' TERM`;
  const inner = `${trap}; echo ready; while :; do sleep 0.05; done`;
  const child = new Child(['sh', '-c', `sh -c "${inner}" & wait`], { isServer: true });
  while (!child.output.stdout().includes('ready')) await Bun.sleep(5);
  await child.stop();
  expect(readFileSync(file, 'utf8')).toBe('x\n');
});

test('a missing program is a problem of the user, and so is a command line that is too long', () => {
  expect(() => new Child(['no-such-program'])).toThrow(Problem);
  expect(() => new Child(['no-such-program'])).toThrow("no-such-program can't be started: ");
  expect(() => new Child(['true', 'x'.repeat(4_000_000)])).toThrow("true can't be started: E2BIG");
});

test('the end of what a child printed tells why it failed', async () => {
  const child = start('echo one; echo two >&2; exit 3');
  expect(await child.exited).toEqual({ code: 3, signal: null, description: 'status 3' });
  expect(child.output.lastLines()).toBe('it said: two');
  expect(child.output.stdout()).toBe('one\n');
  await child.stop();
});

test('what a child said is kept beyond its end only if a message has not all of it', async () => {
  const long = start('seq 100; echo; echo Error: full; exit 1');
  await long.exited;
  expect(long.output.lastLines()).toStartWith('it said: Error: full\n94\n95');
  const keepLong = long.output.keeper();
  await long.stop();
  const [, file = ''] = /^; all that it said is in (.*)$/.exec(keepLong()) ?? [];
  expect(readFileSync(file, 'utf8')).toMatch(/^1\n2\n.*\nError: full\n$/s);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  rmSync(file);

  const short = start('echo Error: full; exit 1');
  await short.exited;
  expect(short.output.keeper()()).toBe('');
  await short.stop();
});

test('a child that ignores SIGTERM is killed when its time is up', async () => {
  const script = 'trap "" TERM; echo ready; while :; do sleep 0.01; done';
  const child = new Child(['sh', '-c', script], { endWithinMs: 200 });
  const hasTrap = () => child.output.stdout() === 'ready\n';
  expect(await child.readinessFailure('had its trap', hasTrap, 10_000)).toBeUndefined();
  const startedMs = performance.now();
  await child.stop();
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(200);
  expect((await child.exited).signal).toBe('SIGKILL');
});

test('a child that is stopped hears that it is to end', async () => {
  const script = 'trap "exit 0" TERM; echo ready; while :; do sleep 0.01; done';
  const child = new Child(['sh', '-c', script]);
  const hasTrap = () => child.output.stdout() === 'ready\n';
  expect(await child.readinessFailure('had its trap', hasTrap, 10_000)).toBeUndefined();
  process.kill(-child.pid, 'SIGSTOP');
  await child.stop();
  expect((await child.exited).signal).toBeNull();
});
