import getPort from 'get-port';
import { readText } from '../words/files.ts';

/** Below this, ports belong to well-known services. */
const LOWEST = 10_000;
/** Where the kernel begins to take ports for clients, unless it says so (ip(7)). */
const USUAL_FIRST = 32_768;
const TRIES = 20;

/**
 * A port of this machine that is free, and that the kernel gives to no client, if it leaves any out. A load tool may use up
 * nearly all ports of clients: one of its connections could then have the port before the server does, and a look at
 * whether the server listens could connect to itself.
 */
export function freePort(): Promise<number> {
  const range = readText('/proc/sys/net/ipv4/ip_local_port_range');
  const first = range ? Number.parseInt(range, 10) : USUAL_FIRST;
  // At random: runs side by side must not begin with the same one.
  const any = () => LOWEST + Math.floor(Math.random() * (first - LOWEST));
  return getPort(first > LOWEST ? { port: Array.from({ length: TRIES }, any) } : {});
}
