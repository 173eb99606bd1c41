import { readText } from '../words/files.ts';

/** The ports that the kernel gives to clients, unless it says otherwise (ip(7)). */
const USUAL_PORTS = '32768 60999';
/**
 * A connection that its client has closed, which keeps its port for a minute: TIME_WAIT in the
 * kernel's tcp_states.h, in a line of /proc/net/tcp (proc_net_tcp(5)).
 */
const CLOSED_CONNECTION = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F:]+ 06 /gm;

/** Ports from the first to the last. */
interface PortRange {
  first: number;
  last: number;
}

/** Returns the ports that the kernel gives to clients. */
export function clientPorts(): PortRange {
  const text = readText('/proc/sys/net/ipv4/ip_local_port_range') ?? USUAL_PORTS;
  const [first = 0, last = 0] = text.trim().split(/\s+/).map(Number);
  return { first, last };
}

/**
 * Returns which part of the ports for clients connections keep that were closed, from 0 to 1; 0 if
 * nothing tells. It takes some 50 ms where there are many.
 * @param tables the text of /proc/net/tcp, and of tcp6
 */
export function keptPortShare(
  tables: readonly string[] = connectionTables(),
  { first, last }: PortRange = clientPorts(),
): number {
  const ports = tables.flatMap((table) =>
    [...table.matchAll(CLOSED_CONNECTION)].map(([, port]) => Number.parseInt(`${port}`, 16)),
  );
  const kept = new Set(ports.filter((port) => port >= first && port <= last));
  return kept.size / (last - first + 1);
}

function connectionTables(): string[] {
  return ['tcp', 'tcp6'].flatMap((table) => readText(`/proc/net/${table}`) ?? []);
}
