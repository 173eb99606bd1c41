import { expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepCoresAwake } from './keep-awake.ts';
import { ifThere } from './read.ts';

const openFiles = () =>
  readdirSync('/proc/self/fd').flatMap((name) => ifThere(() => readlinkSync(`/proc/self/fd/${name}`)) ?? []);

test.skipIf(process.platform !== 'linux')('asks for a latency of 0 as a 32-bit number, and lets go', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tracetax-test-'));
  const device = join(folder, 'device');
  writeFileSync(device, '');
  {
    using held = keepCoresAwake(true, device);
    expect(held).toHaveProperty('how');
    expect([...readFileSync(device)]).toEqual([0, 0, 0, 0]);
    expect(openFiles()).toContain(device);
  }
  expect(openFiles()).not.toContain(device);
  rmSync(folder, { recursive: true });
});

test('a device that is not there is told, and is no error', () => {
  using held = keepCoresAwake(true, '/nowhere/cpu_dma_latency');
  expect(held).toMatchObject({ missing: "/nowhere/cpu_dma_latency can't be opened (ENOENT)" });
});

test('can be switched off', () => {
  using held = keepCoresAwake(false);
  expect(held).toMatchObject({ missing: 'switched off with --no-keep-awake' });
});
