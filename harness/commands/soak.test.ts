import { expect, test } from 'bun:test';
import { OWN_BUN } from '../processes/child.ts';
import { fakeExported, fakeFault } from '../testing/fakes.ts';
import { soakReport } from './soak.ts';

const MIB = 2 ** 20;
const MINUTE_SECONDS = 60;

/** Thirty stretches of a minute at 1,000 requests a second. */
function blocks(mibAt: (index: number) => number) {
  return Array.from({ length: 30 }, (_, index) => ({
    atSeconds: (index + 0.5) * MINUTE_SECONDS,
    bytes: mibAt(index) * MIB,
    delayUs: { p50: 100, p99: 2_000, max: 3_000 + index },
    requests: 60_000,
    // Of the rest of each minute, the load tool was started, and the server came to rest.
    seconds: 50,
    faults: [] as ReturnType<typeof fakeFault>[],
  }));
}

/** What moves by itself, and leads nowhere. */
const wobble = (index: number) => 100 + ((index * 7) % 5) / 10;

const rising = (index: number) => wobble(index) + index;

test.each<[what: string, mibAt: (index: number) => number, told: RegExp, status: number]>([
  // 1 MiB a minute, in which it answers 60,000 requests.
  [
    'that doubles within a day grows',
    rising,
    /^Memory: 129 MiB at the end, \+60\.\d ±0\.\d+ MiB an hour \(\+17\.\d ±0\.\d+ bytes a request\), .* It grows: within a day it would double\.$/,
    1,
  ],
  [
    'that does not grow may still do so a little',
    wobble,
    /No growth was found; up to [\d.]+ MiB a day can't be ruled out\.$/,
    0,
  ],
  [
    'that surely rises, but would not double, may grow',
    (index) => wobble(index) + index / 50,
    /It may grow, by [\d.]+ to [\d.]+ MiB a day\.$/,
    0,
  ],
  [
    'that surely falls does not grow',
    (index) => wobble(index) - index,
    /No growth was found\.$/,
    0,
  ],
  [
    'that rises and falls for long tells nothing',
    (index) => 100 + 50 * Math.sin(index / 4),
    /^Memory: 141 MiB at the end. It moves too unevenly to tell whether it grows: soak it for longer\.$/,
    1,
  ],
])('memory %s', (_, mibAt, told, expected) => {
  const { lines, status } = soakReport(blocks(mibAt), null);
  expect(lines[0]).toMatch(told);
  expect(status).toBe(expected);
});

test('memory that grows within the first minutes may be a heap that fills', () => {
  const short = blocks(rising).map((block, index) => ({ ...block, atSeconds: index + 0.5 }));
  const { lines, status } = soakReport(short, null);
  expect(lines[0]).toEndWith(
    'In less than 5 minutes, a healthy heap may grow, too: soak it for longer.',
  );
  expect(status).toBe(1);
});

test('memory tells nothing if the load failed', () => {
  const failing = blocks(rising);
  for (const block of failing.slice(15)) block.faults.push(fakeFault({ count: 30_000 }));
  expect(soakReport(failing, null).lines[0]).toBe(
    'Memory: 129 MiB at the end. Too many requests failed to tell whether it grows: lower --rate, or fix what failed.',
  );
});

test('rate, event loop, spans and faults', () => {
  const faulty = blocks(wobble);
  for (const block of faulty.slice(3, 5)) block.faults.push(fakeFault({ detail: 'EOF', count: 2 }));
  const { lines, status } = soakReport(faulty, fakeExported(1_000_000, 999_000));
  const { what } = fakeFault();
  expect(lines.slice(1)).toEqual([
    'Rate: 1200 requests/s were answered.',
    'Event loop: late by 2.00 ms (p99), 3.03 ms at most.',
    'Spans: 1000 of 1000000 lost.',
    `${what}: 4 times, the first with: EOF.`,
  ]);
  expect(status).toBe(1);
});

test('a stretch that Ctrl-C breaks off is not kept', () => {
  const script = `
    import { endAllChildren } from '../processes/child.ts';
    import { startBoth } from '../pair/start.ts';
    import { fakePlan, fakeWorld } from '../testing/fake-world.ts';
    import { soakBlock } from './soak.ts';
    const { world } = fakeWorld();
    const runLoad = (...given) => endAllChildren().then(() => world.runLoad(...given));
    const broken = { ...world, runLoad };
    const { scenario } = await startBoth(broken, { row: fakePlan().rows[1], startedFirst: 'scenario' });
    const load = { requests: [], connections: 1, durationSeconds: 1 };
    await soakBlock(broken, scenario, load, 0).catch(({ message }) => console.log(message));`;
  const { stdout } = Bun.spawnSync([...OWN_BUN, '-e', script], { cwd: import.meta.dir });
  expect(stdout.toString()).toStartWith('the run is ending');
});
