import getPort from 'get-port';
import { readText } from '../words/files.ts';

/** Below this number, ports belong to well-known services. */
const LOWEST_PORT = 10_000;
/** The port from which the kernel takes ports for clients, unless it says otherwise (ip(7)). */
const USUAL_FIRST_CLIENT_PORT = 32_768;
const CANDIDATES = 20;

/**
 * Returns a port of this machine that is free, and that the kernel gives to no client, if it leaves
 * any out. A load tool may use up nearly all ports of clients: one of its connections could then
 * have the port before the server does, and a look at whether the server listens could connect to
 * itself.
 */
export function freePort(): Promise<number> {
  const end = firstClientPort();
  if (end <= LOWEST_PORT) return getPort();
  return getPort({ port: Array.from({ length: CANDIDATES }, () => randomPortBelow(end)) });
}

function firstClientPort(): number {
  const range = readText('/proc/sys/net/ipv4/ip_local_port_range');
  return range ? Number.parseInt(range, 10) : USUAL_FIRST_CLIENT_PORT;
}

/** Returns a port at random: runs side by side must not begin with the same one. */
function randomPortBelow(end: number): number {
  return LOWEST_PORT + Math.floor(Math.random() * (end - LOWEST_PORT));
}
