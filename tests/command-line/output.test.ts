// What is printed arrives whole, however slow its reader is; a full disk is an error, and a reader
// that goes away is none.
import { afterAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HI } from '../../harness/testing/sources.ts';
import { ROOT } from '../support/short-runs.ts';
import { Workplace } from '../support/workplace.ts';

const CLI = `bun '${join(ROOT, 'harness/cli.ts')}'`;
const PACKAGED = `node '${join(ROOT, 'bin/tracetax.js')}'`;
/** The largest published result: its JSON is several times what a pipe has room for. */
const REPORT = `report '${join(ROOT, 'results/workloads-xeon-2core.json')}' --format json`;
const PIPE_BYTES = 65_536;
/** A pipe that has no room left for what comes after this, until its reader begins. */
const FILL = `head -c ${PIPE_BYTES} /dev/zero`;
const SLOW_READER = '(sleep 1; cat)';
const FULL_DISK =
  /^tracetax: stdout can't be written: ENOSPC[^\n]*\. Print it again elsewhere\.\n$/;

const place = new Workplace();
afterAll(() => place[Symbol.asyncDispose]());

/** What became of a shell command; its status is that of the first part of a pipe that failed. */
async function shell(command: string) {
  const shell = Bun.spawn(['bash', '-c', `set -o pipefail; ${command}`], {
    cwd: place.folder,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr] = await Promise.all([shell.stdout.text(), shell.stderr.text()]);
  return { status: await shell.exited, stdout, stderr };
}

/** What it prints into a file. */
async function printed(command: string): Promise<string> {
  const file = place.path(`${Bun.randomUUIDv7()}.txt`);
  await shell(`${command} >'${file}' 2>&1`);
  return readFileSync(file, 'utf8');
}

test.concurrent.each([
  ['cli.ts', CLI],
  ['bin/tracetax.js', PACKAGED],
])('a slow reader gets all of a report, by %s', async (_, program) => {
  const whole = await printed(`${program} ${REPORT}`);
  expect(whole.length).toBeGreaterThan(3 * PIPE_BYTES);
  const run = await shell(`${program} ${REPORT} | ${SLOW_READER}`);
  expect(run.stdout === whole).toBe(true);
  expect(run).toMatchObject({ status: 0, stderr: '' });
});

test.concurrent.each([
  ['help', CLI, '--help', 0],
  ['help of a command', CLI, 'explain --help', 0],
  ['help of the package', PACKAGED, '--help', 0],
  ['the version', CLI, '--version', 0],
  ['the version of the package', PACKAGED, '--version', 0],
  ['a usage error', CLI, 'nurse', 2],
  ['an error', CLI, 'report nope.json', 2],
])('%s gets through a pipe that is full at first, with its exit status', async (...row) => {
  const [, program, args, status] = row;
  const whole = await printed(`${program} ${args}`);
  expect(whole.length).toBeGreaterThan(0);
  const run = await shell(`(${FILL}; ${program} ${args} 2>&1) | ${SLOW_READER}`);
  expect(run.stdout.replaceAll('\0', '')).toBe(whole);
  expect(run.status).toBe(status);
});

test.concurrent('a suite that leaves a timer neither cuts output off nor goes on', async () => {
  const suite = place.suite({ a: HI });
  place.write(
    'timer.ts',
    `setInterval(() => {}, 1_000);\nexport { default } from '${suite}' with { type: 'json' };`,
  );
  const dryRun = `${CLI} --suite ./timer.ts --dry-run --no-keep-awake --seed 1`;
  const run = await shell(`(${FILL}; ${dryRun}) | ${SLOW_READER}`);
  expect(run.status).toBe(0);
  expect(run.stdout).toContain('bun run a.ts');
});

test.concurrent.each([
  [CLI, REPORT],
  [CLI, '--help'],
  [CLI, 'help explain'],
  [CLI, '--version'],
  [PACKAGED, REPORT],
  [PACKAGED, '--version'],
])('a full disk below stdout is one line and a failure: %s %s', async (program, args) => {
  const run = await shell(`${program} ${args} >/dev/full`);
  expect(run).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(FULL_DISK) });
});

test.concurrent('a full disk below stderr changes no exit status', async () => {
  expect(await shell(`${CLI} report nope.json 2>/dev/full`)).toMatchObject({ status: 2 });
  const { status } = await shell(`${CLI} --version 2>/dev/full`);
  expect(status).toBe(0);
});

test.concurrent.each([
  [CLI, REPORT],
  [PACKAGED, REPORT],
  [CLI, '--help'],
  [PACKAGED, '--version'],
])('a reader that goes away is no error: %s %s', async (program, args) => {
  const [first] = (await printed(`${program} ${args}`)).split('\n');
  const head = await shell(`${program} ${args} | (sleep 1; head -n 1)`);
  expect(head).toEqual({ status: 0, stdout: `${first}\n`, stderr: '' });
  const gone = await shell(`(sleep 0.3; ${program} ${args}) | true`);
  expect(gone).toEqual({ status: 0, stdout: '', stderr: '' });
});

test.concurrent.each([CLI, PACKAGED])(
  'streams that are closed are no error: %s',
  async (program) => {
    const closed = await shell(`${program} --version >&-`);
    expect(closed).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(await shell(`${program} nurse >&- 2>&-`)).toMatchObject({ status: 2 });
  },
);
