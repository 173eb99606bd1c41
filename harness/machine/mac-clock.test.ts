import { ptr } from 'bun:ffi';
import { expect, test } from 'bun:test';
import { rusageNs } from './mac-clock.ts';

/** A rusage_info_v0 as the header lays it out: 16 bytes of UUID, user and system time in ticks, eight more numbers. */
function rusage(userTicks: bigint, systemTicks: bigint): BigUint64Array {
  return new BigUint64Array([
    0x1122334455667788n,
    0x99aabbccddeeff00n,
    userTicks,
    systemTicks,
    3n,
    1n,
    4n,
    1n,
    5n,
    9n,
    2n,
    6n,
  ]);
}

test('on Intel a tick is a ns', () => {
  expect(rusageNs(ptr(rusage(1_500_000_000n, 250_000_000n)), ptr(new Uint32Array([1, 1])))).toBe(1.75e9);
});

test("on Apple's processors 24 million ticks are a second", () => {
  expect(rusageNs(ptr(rusage(36_000_000n, 12_000_000n)), ptr(new Uint32Array([125, 3])))).toBe(2e9);
});
