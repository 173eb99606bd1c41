import { expect, test } from 'bun:test';
import { fakeExported, fakeFault } from '../../testing/fakes.ts';
import type { Block } from './block.ts';
import { reportSoak } from './report.ts';

const BYTES_PER_MIB = 2 ** 20;
const MINUTE_SECONDS = 60;

/** Thirty stretches of a minute at 1,000 requests a second. */
function blocks(mibAt: (index: number) => number): Block[] {
  return Array.from({ length: 30 }, (_, index) => ({
    atSeconds: (index + 0.5) * MINUTE_SECONDS,
    bytes: mibAt(index) * BYTES_PER_MIB,
    delayUs: { p50: 100, p99: 2_000, max: 3_000 + index },
    cpuNs: 60_000 * 20e3,
    requests: 60_000,
    underWay: 0,
    // Of the rest of each minute, the load tool was started, and the server came to rest.
    seconds: 50,
    rateShortfalls: [],
    faults: [],
  }));
}

/** What moves by itself, and leads nowhere. */
const wobble = (index: number) => 100 + ((index * 7) % 5) / 10;

const rising = (index: number) => wobble(index) + index;

test.each<[what: string, mibAt: (index: number) => number, said: RegExp, isPassed: boolean]>([
  // 1 MiB a minute, in which it answers 60,000 requests.
  [
    'that doubles within a day grows',
    rising,
    /^Memory: 129 MiB at the end, \+60\.\d ±0\.\d+ MiB an hour \(\+17\.\d ±0\.\d+ bytes a request\), .* It grows: within a day it would double\.$/,
    false,
  ],
  [
    'that does not grow may still do so a little',
    wobble,
    /No growth was found; up to [\d.]+ MiB a day can't be ruled out\.$/,
    true,
  ],
  [
    'that surely rises, but would not double, may grow',
    (index) => wobble(index) + index / 50,
    /It may grow, by [\d.]+ to [\d.]+ MiB a day\.$/,
    true,
  ],
  [
    'that surely falls does not grow',
    (index) => wobble(index) - index,
    /No growth was found\.$/,
    true,
  ],
  [
    'that moves so much that it may double tells nothing',
    (index) => 100 + ((index * 7) % 5) * 4,
    /It is not known whether it would double within a day: soak it for longer\.$/,
    false,
  ],
  [
    'of a small process is known well enough if it may grow by less than 100 MiB a day',
    (index) => 8 + ((index * 7) % 5) / 2,
    /No growth was found; up to [1-9]\d[\d.]* MiB a day can't be ruled out\.$/,
    true,
  ],
  [
    'that rises and falls for long tells nothing',
    (index) => 100 + 50 * Math.sin(index / 4),
    /^Memory: 141 MiB at the end. It moves too unevenly to tell whether it grows: soak it for longer\.$/,
    false,
  ],
])('memory %s', (_, mibAt, said, expected) => {
  const { lines, isPassed } = reportSoak(blocks(mibAt), null);
  expect(lines[0]).toMatch(said);
  expect(isPassed).toBe(expected);
});

test.each<[string, (index: number) => number]>([
  ['fast', rising],
  // By some 200 MiB a day, so it would not double.
  ['slowly', (index) => 1_000 + wobble(index) + index / 50],
])('memory that grows %s within the first minutes may be a heap that fills', (_, mibAt) => {
  const short = blocks(mibAt).map((block, index) => ({ ...block, atSeconds: (index + 0.5) * 9 }));
  const { lines, isPassed } = reportSoak(short, null);
  expect(lines[0]).toEndWith(
    'In less than 5 minutes, a healthy heap may grow, too: soak it for longer.',
  );
  expect(isPassed).toBe(false);
});

test('memory tells nothing if the load failed', () => {
  const failing = blocks(rising);
  for (const block of failing.slice(15)) block.faults.push(fakeFault({ count: 30_000 }));
  expect(reportSoak(failing, null).lines[0]).toBe(
    'Memory: 129 MiB at the end. Too many requests failed to tell whether it grows: use a lower --rate, or send the load by hand and see why.',
  );
});

test('rate, event loop, spans and faults', () => {
  const faulty = blocks(wobble);
  for (const block of faulty.slice(3, 5)) block.faults.push(fakeFault({ detail: 'EOF', count: 2 }));
  const { lines, isPassed } = reportSoak(faulty, fakeExported(1_000_000, 999_000));
  const { what } = fakeFault();
  expect(lines.slice(1)).toEqual([
    'CPU per request over the time: 20.0, 20.0, 20.0, 20.0, 20.0 µs. It does not grow with the requests served.',
    'Rate: 1200 requests/s were answered.',
    'Event loop: late by 2.00 ms (p99), 3.03 ms at most.',
    'Spans: 1000 of 1000000 lost.',
    `${what}: 4 times, the first with: EOF.`,
  ]);
  expect(isPassed).toBe(false);
});

test.each<[string, (index: number) => number, string]>([
  [
    'that grows with the requests served',
    (index) => 20 + index,
    '22.6, 28.6, 34.5, 40.5, 46.5 µs. It grows with the requests served: +16.7 ±0.053 µs per million.',
  ],
  [
    'that falls',
    (index) => 60 - index,
    '57.5, 51.5, 45.5, 39.5, 33.5 µs. It falls with the requests served: -16.7 ±0.053 µs per million.',
  ],
  [
    'that grows by little',
    (index) => 20 + index / 50,
    '20.1, 20.2, 20.3, 20.5, 20.6 µs. It does not grow with the requests served.',
  ],
  [
    'that moves too much to tell',
    (index) => 20 + 30 * (index % 2),
    '35.0, 35.0, 35.0, 35.0, 35.0 µs. It is not known whether it grows with the requests served (',
  ],
])('CPU per request %s', (_, usAt, said) => {
  const moving = blocks(wobble).map((block, index) => ({
    ...block,
    cpuNs: block.requests * (usAt(index) + (index % 2) / 10) * 1e3,
  }));
  expect(reportSoak(moving, null).lines[1]).toStartWith(`CPU per request over the time: ${said}`);
});

test('CPU per request counts requests that the load tool left', () => {
  const leaving = blocks(wobble).map((block) => ({ ...block, requests: 30_000, underWay: 30_000 }));
  expect(reportSoak(leaving, null).lines[1]).toStartWith('CPU per request over the time: 20.0,');
});

test('CPU per request that no clock tells has no line', () => {
  const unknown = blocks(wobble).map((block) => ({ ...block, cpuNs: null }));
  expect(reportSoak(unknown, null).lines[1]).toStartWith('Rate: ');
});

test('CPU per request leaves out a stretch without an answer', () => {
  const broken = blocks(wobble);
  Object.assign(broken[9] as Block, { requests: 0, cpuNs: 1e9 });
  expect(reportSoak(broken, null).lines[1]).toStartWith(
    'CPU per request over the time: 20.0, 20.0, 20.0, 20.0, 20.0 µs.',
  );
});

test('a server that answers nothing any more after its first minutes has a report', () => {
  const hung = blocks(wobble);
  for (const block of hung.slice(6)) Object.assign(block, { requests: 0, cpuNs: 1e9, seconds: 0 });
  for (const block of hung.slice(6)) block.faults.push(fakeFault());
  const { lines, isPassed } = reportSoak(hung, null);
  expect(lines[1]).toMatch(/^CPU per request over the time: [\d., ]+ µs\.$/);
  expect(isPassed).toBe(false);
  const never = hung.map((block) => ({ ...block, requests: 0, seconds: 0 }));
  expect(reportSoak(never, null).lines.join('\n')).not.toMatch(/NaN|Infinity|undefined/);
});

test.each([
  [3, true, ''],
  [4, false, ' Use a lower --rate.'],
])('a rate that was not held in %i of 30 stretches passes: %j', (count, expected, remedy) => {
  const slow = blocks(wobble);
  for (const block of slow.slice(-count))
    block.rateShortfalls.push('900 of 5000 requests were answered');
  const { lines, isPassed } = reportSoak(slow, null);
  expect(lines[3]).toBe(
    `The rate was not held in ${count} of 30 stretches. The first time, 900 of 5000 requests were answered.${remedy}`,
  );
  expect(isPassed).toBe(expected);
});
