import { expect, test } from 'bun:test';
import { clientPorts, keptPortShare } from './client-ports.ts';

/** A line of /proc/net/tcp: a connection of this port to port 80, in a state. */
function line(port: number, state: string): string {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  return `   0: 0100007F:${hexPort} 0100007F:0050 ${state} 00000000:00000000 03:00001 0 0 0`;
}

test('ports of clients that closed their connection are kept, each counted once', () => {
  const [closed, open] = ['06', '01'];
  const lines = [
    line(40_000, closed),
    line(40_000, closed),
    line(40_001, closed),
    line(40_002, open),
    // A server that closed first keeps its own port, which serves on.
    line(3_000, closed),
  ];
  const range = { first: 40_000, last: 40_009 };
  expect(keptPortShare([`  sl  local_address\n${lines.join('\n')}\n`], range)).toBe(0.2);
  expect(keptPortShare([], range)).toBe(0);
});

test('this machine gives clients some ports, of which a part is kept', () => {
  const { first, last } = clientPorts();
  expect(last).toBeGreaterThan(first);
  expect(keptPortShare()).toBeWithin(0, 1);
});
