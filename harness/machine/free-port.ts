import getPort from 'get-port';
import { clientPorts } from './client-ports.ts';

/** Below this number, ports belong to well-known services. */
const LOWEST_PORT = 10_000;
const CANDIDATES = 20;

/**
 * Returns a port of this machine that is free, and that the kernel gives to no client, if it leaves
 * any out. A load tool may use up nearly all ports of clients: one of its connections could then
 * have the port before the server does, and a look at whether the server listens could connect to
 * itself.
 * @param except ports that are to be left to others
 */
export function freePort(except: readonly number[] = []): Promise<number> {
  const end = clientPorts().first;
  if (end <= LOWEST_PORT) return getPort({ exclude: except });
  const candidates = Array.from({ length: CANDIDATES }, () => randomPortBelow(end));
  return getPort({ port: candidates, exclude: except });
}

/** Returns a port at random: runs side by side must not begin with the same one. */
function randomPortBelow(end: number): number {
  return LOWEST_PORT + Math.floor(Math.random() * (end - LOWEST_PORT));
}
