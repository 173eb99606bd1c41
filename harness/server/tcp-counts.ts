import { connectionTables } from '../machine/connection-tables.ts';
import { readText } from '../words/files.ts';

/**
 * States of a connection that this end of it has closed first (the kernel's tcp_states.h):
 * FIN_WAIT1, FIN_WAIT2, TIME_WAIT and CLOSING. The kernel remembers it for a minute.
 */
const CLOSED_HERE = '0[456B]';

/**
 * Returns how many connections anybody in the harness's network was asked for since it began; null
 * if nothing tells.
 */
export function passiveOpens(): number | null {
  const [names, values] = (readText('/proc/net/snmp') ?? '')
    .split('\n')
    .filter((line) => line.startsWith('Tcp:'))
    .map((line) => line.split(' '));
  const value = values?.[names?.indexOf('PassiveOpens') ?? -1];
  return value === undefined ? null : Number(value);
}

/**
 * Returns connections to each of these ports that the server there closed first, by their other
 * end; null if nothing tells. It takes some 50 ms where there are many. A connection that was reset
 * leaves no trace.
 */
export function closedByServers(ports: readonly number[]): ReadonlySet<string>[] | null {
  const tables = connectionTables();
  if (tables.length === 0) return null;
  return ports.map((port) => {
    const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
    const line = new RegExp(`^ *\\d+: [0-9A-F]+:${hexPort} ([0-9A-F:]+) ${CLOSED_HERE} `, 'gm');
    return new Set(tables.flatMap((table) => [...table.matchAll(line)].map(([, end]) => `${end}`)));
  });
}
