import { openSync, readSync, writeSync } from 'node:fs';
import { mean, sampleStandardDeviation } from 'simple-statistics';

/*
 * This program measures what a write costs that wakes a process on another core. It passes a byte
 * to a `cat` there and gets it back, by two pipes; it lets `cat` fall asleep before it writes. It
 * prints what such a write costs more than one that wakes nobody, in µs, with the standard error
 * over blocks. Of each block it takes the lower quartile, because others may take the core in
 * between.
 */
const BLOCKS = 6;
const TRIPS = 300;
/** `cat` has gone to sleep after such a pause. */
const PAUSE_NS = 30_000;
const byte = new Uint8Array(1);

const [toCat = '', fromCat = '', toItself = ''] = process.argv.slice(2);
const output = openSync(toCat, 'w');
const input = openSync(fromCat, 'r');
// This pipe holds the byte until the program reads it itself.
const ownPipe = openSync(toItself, 'r+');

// In the first block, the code is not compiled yet.
wakeUpCostUs();
const costsUs = Array.from({ length: BLOCKS }, wakeUpCostUs);
const standardErrorUs = sampleStandardDeviation(costsUs) / Math.sqrt(BLOCKS);
console.log(JSON.stringify({ us: mean(costsUs), standardErrorUs }));

function wakeUpCostUs(): number {
  return writeUs(output, input) - writeUs(ownPipe, ownPipe);
}

/** Returns the lower quartile of the times of writes to a pipe, each after a pause. */
function writeUs(output: number, input: number): number {
  const writesNs: number[] = [];
  for (let trip = 0; trip < TRIPS; trip++) {
    pause();
    const startNs = Bun.nanoseconds();
    writeSync(output, byte);
    writesNs.push(Bun.nanoseconds() - startNs);
    readSync(input, byte);
  }
  const sorted = writesNs.sort((one, other) => one - other);
  return (sorted[TRIPS / 4] ?? 0) / 1e3;
}

/** Keeps this core awake: only the other side is to sleep. */
function pause(): void {
  const startNs = Bun.nanoseconds();
  while (Bun.nanoseconds() - startNs < PAUSE_NS);
}
