import { openSync, readSync, writeSync } from 'node:fs';
import { mean, sampleStandardDeviation } from 'simple-statistics';

/**
 * Passes a byte to a `cat` on another core and gets it back, by two pipes. It lets `cat` fall asleep before it writes, and
 * prints what a write that wakes it costs more than one that wakes nobody, in µs, with the standard error over blocks. Of
 * each block it takes the lower quartile, because others may take the core in between.
 */
const [there = '', back = '', own = ''] = process.argv.slice(2);
const BLOCKS = 6;
const TRIPS = 300;
/** The other has gone to sleep by then. */
const PAUSE_NS = 30_000;
const byte = new Uint8Array(1);

const output = openSync(there, 'w');
const input = openSync(back, 'r');
// It holds the byte itself until it reads it.
const itself = openSync(own, 'r+');
const cost = () => writeUs(output, input) - writeUs(itself, itself);
// The first is not compiled yet.
const costs = Array.from({ length: 1 + BLOCKS }, cost).slice(1);
const standardErrorUs = sampleStandardDeviation(costs) / Math.sqrt(BLOCKS);
console.log(JSON.stringify({ us: mean(costs), standardErrorUs }));

function writeUs(output: number, input: number): number {
  const writesNs: number[] = [];
  for (let trip = 0; trip < TRIPS; trip++) {
    const pausedNs = Bun.nanoseconds();
    while (Bun.nanoseconds() - pausedNs < PAUSE_NS);
    const startNs = Bun.nanoseconds();
    writeSync(output, byte);
    writesNs.push(Bun.nanoseconds() - startNs);
    readSync(input, byte);
  }
  return (writesNs.sort((a, b) => a - b)[TRIPS / 4] ?? 0) / 1e3;
}
