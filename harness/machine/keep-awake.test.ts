import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepCoresAwake } from './keep-awake.ts';
import { ifThere } from './read.ts';
import { temporaryFolder } from './watchdog.ts';

const openFiles = () =>
  readdirSync('/proc/self/fd').map((name) => ifThere(() => readlinkSync(`/proc/self/fd/${name}`)));

test('asks for a latency of 0 as a 32-bit number, and lets go', () => {
  const device = join(temporaryFolder(), 'device');
  writeFileSync(device, '');
  {
    using held = keepCoresAwake(true, device);
    expect(held).toHaveProperty('how');
    expect([...readFileSync(device)]).toEqual([0, 0, 0, 0]);
    expect(openFiles()).toContain(device);
  }
  expect(openFiles()).not.toContain(device);
});

test.each([
  [true, "/nowhere/device can't be opened (ENOENT)"],
  [false, 'switched off with --no-keep-awake'],
])('why it is not kept is told, and is no error: wanted %p', (isWanted, missing) => {
  expect(keepCoresAwake(isWanted, '/nowhere/device')).toMatchObject({ missing });
});
