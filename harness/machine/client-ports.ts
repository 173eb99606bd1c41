import { readText } from '../words/files.ts';
import { connectionTables } from './connection-tables.ts';

/** The ports that the kernel gives to clients, unless it says otherwise (ip(7)). */
const USUAL_PORTS = '32768 60999';
/**
 * A connection that its client has closed, which keeps its port for a minute: TIME_WAIT in the
 * kernel's tcp_states.h, in a line of /proc/net/tcp (proc_net_tcp(5)).
 */
const CLOSED_CONNECTION = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F:]+ 06 /gm;

/** Ports from the first to the last. */
export interface PortRange {
  first: number;
  last: number;
}

/** Returns the ports that the kernel gives to clients. */
export function clientPorts(): PortRange {
  return portRangeIn(clientPortsText() ?? USUAL_PORTS);
}

/** Returns the same as the kernel prints it; undefined if nothing tells. */
export function clientPortsText(): string | undefined {
  return readText('/proc/sys/net/ipv4/ip_local_port_range');
}

/** Returns the ports of such a text. */
export function portRangeIn(text: string): PortRange {
  const [first = 0, last = 0] = text.trim().split(/\s+/).map(Number);
  return { first, last };
}

/** Returns how many ports there are. */
export function portCount({ first, last }: PortRange): number {
  return last - first + 1;
}

/**
 * Returns which part of the ports for clients connections keep that were closed, from 0 to 1; 0 if
 * nothing tells. It takes some 50 ms where there are many.
 * @param tables the text of /proc/net/tcp, and of tcp6
 */
export function keptPortShare(
  tables: readonly string[] = connectionTables(),
  range: PortRange = clientPorts(),
): number {
  const ports = tables.flatMap((table) =>
    [...table.matchAll(CLOSED_CONNECTION)].map(([, port]) => Number.parseInt(`${port}`, 16)),
  );
  const kept = new Set(ports.filter((port) => port >= range.first && port <= range.last));
  return kept.size / portCount(range);
}
