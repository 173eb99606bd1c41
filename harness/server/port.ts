import { readlinkSync } from 'node:fs';
import { processes } from '../machine/processes.ts';
import { ifThere, namesIn, readText } from '../machine/read.ts';

/** State of a listening socket in /proc/net/tcp (TCP_LISTEN in the kernel's tcp_states.h). */
const LISTEN = '0A';
/** 0.0.0.0 and :: there. */
const ANY_ADDRESS = /^0+:/;

/**
 * Numbers of all processes that listen on the TCP port, whatever the address, by /proc/net/tcp and open files; undefined
 * without these. `isOpen`: on all addresses.
 */
export function listeners(port: number): { pids: number[]; isOpen: boolean } | undefined {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => readText(table) ?? []);
  if (tables.length === 0) return undefined;
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const lines = tables.flatMap((table) => table.split('\n')).map((line) => line.trim().split(/\s+/));
  const listening = lines.filter(([, address = '', , state]) => address.endsWith(`:${hexPort}`) && state === LISTEN);
  const sockets = new Set(listening.map((fields) => `socket:[${fields[9]}]`));
  return {
    pids: [...processes().keys()].filter((pid) => openFiles(pid).some((file) => sockets.has(file))),
    isOpen: listening.some(([, address = '']) => ANY_ADDRESS.test(address)),
  };
}

/** Without those that are closed meanwhile, as a server does with connections. None if it belongs to another user. */
function openFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return namesIn(folder).flatMap((descriptor) => ifThere(() => readlinkSync(`${folder}/${descriptor}`)) ?? []);
}

/** Whether somebody listens there. */
export async function accepts(hostname: string, port: number): Promise<boolean> {
  const socket = await Bun.connect({ hostname, port, socket: { data() {} } }).catch(() => undefined);
  socket?.end();
  return socket !== undefined;
}
