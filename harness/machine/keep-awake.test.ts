import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../processes/watchdog.ts';
import { orUndefined } from '../words/errors.ts';
import { measureWakeUp, tryKeepAwake, untouchedIdleCores } from './keep-awake.ts';
import { type Pinning, planPinning } from './pinning.ts';

const PINNING: Pinning = {
  serverCore: '0',
  toolCores: '1',
  toolCoreCount: 1,
  sinkCore: null,
};

/** Returns the paths of all files that this process has open. */
function openFiles(): (string | undefined)[] {
  const descriptors = readdirSync('/proc/self/fd');
  return descriptors.map((name) => orUndefined(() => readlinkSync(`/proc/self/fd/${name}`)));
}

function emptyDevice(): string {
  const device = join(temporaryFolder(), 'device');
  writeFileSync(device, '');
  return device;
}

const price = (us: number) => ({ us, standardErrorUs: 0.1 });

test.each([
  ['how', / costs 0.40 µs, and 7.00 µs without$/, undefined, 'haltpoll', [price(7), price(0.4)]],
  ['missing', /was not seen to help/, 'no-help', 'haltpoll', [price(7), price(6.8)]],
  ['missing', /^no cpuidle driver is there that could be held/, 'no-driver', null, [price(7)]],
  ['missing', /^nobody measured whether that helps$/, 'not-measured', 'haltpoll', [undefined]],
] as const)(
  'cores are said to be awake only if that was seen to help: %s %s',
  async (field, words, reason, driver, prices) => {
    const left = [...prices];
    const device = emptyDevice();
    const tried = await tryKeepAwake(true, PINNING, {
      driver,
      device,
      measure: async () => left.shift(),
    });
    // It asks for a latency of 0 as a 32-bit number, for as long as this process lives.
    expect(openFiles().includes(device)).toBe(driver !== null);
    expect([...readFileSync(device)]).toEqual(driver === null ? [] : [0, 0, 0, 0]);
    expect(tried).toMatchObject({
      cpuidleDriver: driver,
      keepAwake: { [field]: expect.stringMatching(words), ...(reason && { reason }) },
    });
    expect(tried.wakeUp).toEqual(prices[0] ? { plain: prices[0], held: prices[1] ?? null } : null);
    expect(left).toEqual([]);
  },
);

test.each([
  [true, "/nowhere/device can't be opened (ENOENT)", 'cannot-open'],
  [false, 'switched off with --no-keep-awake', 'switched-off'],
])('why it is not kept is told, and is no error: wanted %p', async (isWanted, missing, reason) => {
  const world = { driver: 'haltpoll', device: '/nowhere/device', measure: async () => undefined };
  expect(await tryKeepAwake(isWanted, PINNING, world)).toMatchObject({
    keepAwake: { missing, reason },
  });
});

test.each([
  [true, 'haltpoll', 'not-measured'],
  [false, 'haltpoll', 'switched-off'],
  [true, null, 'no-driver'],
] as const)(
  'a dry run says that nobody tried, unless the user forbids it: wanted %p, %p',
  (isWanted, driver, reason) => {
    const { keepAwake, wakeUp } = untouchedIdleCores(isWanted, driver);
    expect(keepAwake).toMatchObject({ reason });
    expect(wakeUp).toBeNull();
  },
);

const pinning = planPinning(true);
test.skipIf('missing' in pinning)(
  'the cost of a wake-up is measured between two processes of this machine',
  async () => {
    // While the cores are full it takes longer.
    const measured = await measureWakeUp(pinning as Pinning, 100_000);
    expect(measured?.standardErrorUs).toBeGreaterThan(0);
    expect(await measureWakeUp(undefined)).toBeUndefined();
  },
);
