import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { readResult } from '../harness/results/file.ts';
import { bench, finished, HI, processesWith, until, Workplace } from './bench.ts';

const LIMIT_MS = 60_000;

const twoRounds = (place: Workplace, out: string) => [
  ...['--suite', place.suite({ a: HI, b: HI }), '--out', out, '--connections', '2'],
  ...['--rounds', '20', '--duration', '1s', '--warmup', '0s'],
];

/** How many rounds the file holds by now. */
function roundsIn(file: string): number {
  return existsSync(file) ? readResult(file).soloRounds.length : 0;
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s keeps the finished rounds, prints their table and leaves no process',
  async (signal, status) => {
    using place = new Workplace();
    const out = place.path('out.json');
    const run = bench(twoRounds(place, out));
    await until(() => roundsIn(out) >= 1, 20_000);
    run.kill(signal);
    const { stdout, stderr, status: actual } = await finished(run);
    expect(actual).toBe(status);
    expect(stdout).toMatch(/\| b( †)? +\| +([+-]\d|~)/);
    expect(stdout).toMatch(/Stopped, interrupted by SIG\w+: \d+ of 20 rounds/);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(readResult(out)).toMatchObject({ stoppedBy: `interrupted by ${signal}` });
    expect(processesWith(place.folder)).toEqual([]);
  },
  LIMIT_MS,
);

test(
  'before the first round is complete there is nothing to keep, and that is said',
  async () => {
    using place = new Workplace();
    const out = place.path('out.json');
    const run = bench(twoRounds(place, out));
    await until(() => existsSync(out));
    run.kill('SIGINT');
    const { stdout, stderr, status } = await finished(run);
    expect(status).toBe(130);
    expect(stdout).toBe('');
    expect(stderr).toContain('Nothing was measured.');
    expect(existsSync(out)).toBe(false);
  },
  LIMIT_MS,
);

test(
  'a harness that is killed leaves no server and no load tool behind, and its file can be read',
  async () => {
    using place = new Workplace();
    const out = place.path('out.json');
    const suite = place.suite({ a: HI });
    const marked = place.write('marked.ts', await Bun.file(place.path('a.ts')).text());
    place.write('suite.json', (await Bun.file(suite).text()).replace('a.ts', marked));
    const run = bench([
      '--suite',
      suite,
      '--out',
      out,
      '--rounds',
      '20',
      '--duration',
      '1s',
      '--warmup',
      '0s',
      '--connections',
      '2',
    ]);
    await until(() => roundsIn(out) >= 1, 20_000);
    await until(() => processesWith(marked).length > 0);
    run.kill('SIGKILL');
    await finished(run);
    await until(() => processesWith(marked).length === 0);
    expect(readResult(out)).toMatchObject({ endedAt: null, stoppedBy: null });
    expect((await finished(bench(['report', out]))).stdout).toContain('did not end as planned');
  },
  LIMIT_MS,
);
