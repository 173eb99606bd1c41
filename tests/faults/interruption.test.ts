import { expect } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readResult } from '../../harness/result/file.ts';
import { HI } from '../../harness/testing/sources.ts';
import { orUndefined } from '../../harness/words/errors.ts';
import { collectOutput, type PipedProcess, waitUntil } from '../support/processes.ts';
import { parseTable } from '../support/results.ts';
import { ROOT, SHORTEST_RUN } from '../support/short-runs.ts';
import { testConcurrently, type Workplace } from '../support/workplace.ts';

/** Starts a run of many pairs. */
function start(place: Workplace, handler = HI, more = {}) {
  const pairs = ['--pairs', '20', '--duration', '20s'];
  const run = place.start([
    ...SHORTEST_RUN,
    ...pairs,
    '--suite',
    place.suite({ a: handler, b: HI }, more),
  ]);
  return { run, out: place.path('out.json') };
}

/** How many pairs the file holds by now. */
const pairsIn = (file: string) => (existsSync(file) ? readResult(file).pairs.length : 0);

testConcurrently(
  'Ctrl-C keeps the finished pairs, prints their table and leaves no process',
  async (place) => {
    const { run, out } = start(place);
    await waitUntil(() => pairsIn(out) >= 2);
    expect(place.processes().length).toBeGreaterThan(1);
    run.kill('SIGINT');
    const { stdout, stderr, status } = await collectOutput(run);
    expect(status).toBe(130);
    expect(parseTable(stdout).rows.b?.[0]).toMatch(/^[+-]?[\d.]+ ms/);
    expect(stdout).toMatch(/\d of 40 pairs.*interrupted by SIGINT/);
    expect(stderr).toContain('tracetax: interrupted by SIGINT.');
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(readResult(out)).toMatchObject({
      stoppedBy: 'interrupted by SIGINT',
      endedAt: expect.any(String),
    });
    await place.waitForEnd();
    expect(readdirSync(place.temporary)).toEqual([]);
  },
);

const PROVEN = { scenarios: [{ name: 'a', command: ['bun', 'a.ts'], telemetry: {} }] };
for (const [when, sign, more] of [
  ['before the first pair is complete', 'out.json', {}],
  ['while a scenario is proven', 'asked', PROVEN],
] as const)
  testConcurrently(`${when} there is nothing to keep, and that is said`, async (place) => {
    const { run } = start(place, `await Bun.write('asked', ''); await Bun.sleep(300); ${HI}`, more);
    await waitUntil(() => existsSync(place.path(sign)));
    run.kill('SIGTERM');
    const { stdout, stderr, status } = await collectOutput(run);
    expect({ status, stdout }).toEqual({ status: 143, stdout: '' });
    expect(stderr).toEndWith('tracetax: interrupted by SIGTERM.\nNo result was written.\n');
    await place.waitForEnd();
    expect(existsSync(place.path('out.json'))).toBe(false);
    expect(readdirSync(place.temporary)).toEqual([]);
  });

testConcurrently('prove prints what it has, and does not blame a server', async (place) => {
  const hangs = `await Bun.write('asked', ''); await Bun.sleep(60_000); ${HI}`;
  const run = place.start(['prove', '--suite', place.suite({ a: HI, b: hangs })]);
  await waitUntil(() => existsSync(place.path('asked')));
  run.kill('SIGINT');
  const { stdout, stderr, status } = await collectOutput(run);
  expect(status).toBe(130);
  expect(JSON.parse(stdout)).toEqual([{ name: 'a', request: 'GET /', telemetry: {} }]);
  expect(stderr).toEndWith('tracetax: interrupted by SIGINT.\nNo result was written.\n');
  expect(stderr).not.toContain('Scenario b');
  await place.waitForEnd();
});

testConcurrently('under nohup, the run outlives its terminal', async (place) => {
  const args = ['--suite', place.suite({ a: HI, b: HI }), ...SHORTEST_RUN];
  await using terminal = new Bun.Terminal({});
  const nohup = ['sh', '-c', 'trap "" HUP; exec bun "$@"', 'sh', `${ROOT}/harness/cli.ts`, ...args];
  const run = Bun.spawn(nohup, {
    cwd: place.folder,
    env: { ...process.env, TMPDIR: place.temporary },
    terminal,
  });
  await waitUntil(() => pairsIn(place.path('out.json')) === 1);
  terminal.close();
  run.kill('SIGHUP');
  expect(await run.exited).toBe(0);
  expect(readResult(place.path('out.json'))).toMatchObject({ stoppedBy: null, pairs: [{}, {}] });
  await place.waitForEnd();
});

testConcurrently(
  'a run that is killed leaves no server and no load tool behind, and its file can be read',
  async (place) => {
    const { run, out } = start(place);
    await waitUntil(() => pairsIn(out) >= 1);
    // The run, its watchdog, two servers and a load tool.
    await waitUntil(() => place.processes().length >= 5);
    run.kill('SIGKILL');
    await collectOutput(run);
    await place.waitForEnd();
    expect(readResult(out)).toMatchObject({ endedAt: null, stoppedBy: null });
    expect(readdirSync(place.temporary)).toEqual([]);
    expect((await place.run(['report', out])).stdout).toMatch(/\d of 40 pairs/);
  },
);

/** Costs some ten times what an answer does, on any machine. */
const COSTLY = `for (let i = 0; i < 100_000; i++) state.sum = (state.sum ?? 0) + i % 7; ${HI}`;

/**
 * Processes there that are stopped, as a server is while the other one of its pair has its turn.
 */
function stoppedProcesses(place: Workplace): number[] {
  const statOf = (pid: number) => orUndefined(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return place.processes().filter((pid) => /\) T /.test(statOf(pid) ?? ''));
}

/** Starts a run whose first pair takes turns. Resolves when a server is stopped. */
async function startTurns(place: Workplace, seconds = 60, env: Record<string, string> = {}) {
  // With this seed, the baseline against itself comes last.
  const options = ['--seed', '3', '--warmup', '1s', '--duet-slices', `${seconds}`];
  const suite = ['--suite', place.suite({ a: HI, b: COSTLY })];
  const run = place.start([...SHORTEST_RUN, ...options, ...suite], env);
  await waitUntil(() => stoppedProcesses(place).length > 0);
  return run;
}

for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGKILL', null],
] as const)
  testConcurrently(
    `${signal} in the middle of turns leaves no process, stopped or not`,
    async (place) => {
      const run = await startTurns(place);
      run.kill(signal);
      expect(await collectOutput(run)).toMatchObject({ status });
      await place.waitForEnd();
      expect(readdirSync(place.temporary)).toEqual([]);
    },
  );

/** Interrupts the run once its first pair is complete. Returns the faults that it had in turns. */
async function faultsInTurns(place: Workplace, run: PipedProcess): Promise<string[]> {
  const out = place.path('out.json');
  await waitUntil(() => pairsIn(out) >= 1);
  expect(stoppedProcesses(place)).toEqual([]);
  run.kill('SIGINT');
  await collectOutput(run);
  await place.waitForEnd();
  const faults = readResult(out).pairs.flatMap((pair) => pair.faults);
  return faults.filter(({ slice }) => slice?.kind === 'turns').map(({ kind }) => kind);
}

testConcurrently('a server that is killed in the middle of turns is told', async (place) => {
  const run = await startTurns(place, 2);
  let stopped: number | undefined;
  await waitUntil(() => {
    [stopped] = stoppedProcesses(place);
    return stopped !== undefined;
  });
  process.kill(Number(stopped), 'SIGKILL');
  expect(await faultsInTurns(place, run)).toContain('server-ended');
});

testConcurrently('a load tool that is killed in the middle of turns is told', async (place) => {
  // In turns alone two tools run that have all connections, and the second one is killed.
  const tool = place.bombardier(`
    case "$*" in *"-c 4"*)
      mkdir running 2>/dev/null || { sleep 1; kill -s KILL $$; }
      bombardier -r 1000 "$@"
      status=$?
      rmdir running
      exit $status
    esac
    exec bombardier -r 1000 "$@"`);
  const run = await startTurns(place, 3, { BOMBARDIER: tool });
  expect(await faultsInTurns(place, run)).toContain('load-tool-failed');
});
