import { openSync, readSync, writeSync } from 'node:fs';

/**
 * Two of these, pinned to a core each, pass a byte to and fro by two pipes. `ping` lets the other fall asleep before it
 * writes, and prints for each block the lower quartiles, in µs, of a write that wakes the other, of one that wakes nobody, and of
 * a round trip. Quartiles, because others may take the core in between.
 */
const [role, there = '', back = '', own = ''] = process.argv.slice(2);
const BLOCKS = 6;
const TRIPS = 300;
/** The other has gone to sleep by then. */
const PAUSE_NS = 30_000;
const byte = new Uint8Array(1);

if (role === 'pong') {
  const input = openSync(there, 'r');
  const output = openSync(back, 'w');
  while (readSync(input, byte) > 0) writeSync(output, byte);
} else {
  const output = openSync(there, 'w');
  const input = openSync(back, 'r');
  // It holds the byte itself until it reads it.
  const itself = openSync(own, 'r+');
  const pass = () => ({ ...tripsBy(output, input), nobodyUs: tripsBy(itself, itself).writeUs });
  // The first is not compiled yet.
  console.log(JSON.stringify(Array.from({ length: 1 + BLOCKS }, pass).slice(1)));
}

function tripsBy(output: number, input: number) {
  const writesNs: number[] = [];
  const tripsNs: number[] = [];
  for (let trip = 0; trip < TRIPS; trip++) {
    const pausedNs = Bun.nanoseconds();
    while (Bun.nanoseconds() - pausedNs < PAUSE_NS);
    const startNs = Bun.nanoseconds();
    writeSync(output, byte);
    writesNs.push(Bun.nanoseconds() - startNs);
    readSync(input, byte);
    tripsNs.push(Bun.nanoseconds() - startNs);
  }
  const quartileUs = (ns: number[]) => (ns.sort((a, b) => a - b)[TRIPS / 4] ?? 0) / 1e3;
  return { writeUs: quartileUs(writesNs), roundTripUs: quartileUs(tripsNs) };
}
