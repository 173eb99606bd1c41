import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { groupOf } from '../machine/processes.ts';

export interface Listener {
  pid: number;
  /** Undefined if it ended meanwhile. */
  groupId: number | undefined;
}

/**
 * Every process that listens on the TCP port, on whatever address: the sockets of /proc/net/tcp and tcp6, found again among
 * the open files. Undefined on systems without them.
 */
export function listeners(port: number): Listener[] | undefined {
  if (!existsSync('/proc/net/tcp')) return undefined;
  const sockets = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listeningSockets(table, port)));
  if (sockets.size === 0) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && openFiles(name).some((file) => sockets.has(file)))
    .map((name) => ({ pid: Number(name), groupId: groupOf(Number(name)) }));
}

/** State of a listening socket in /proc/net/tcp (TCP_LISTEN in the kernel's tcp_states.h). */
const LISTEN = '0A';

function listeningSockets(table: string, port: number): string[] {
  if (!existsSync(table)) return [];
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  return readFileSync(table, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(`:${hexPort}`) && fields[3] === LISTEN)
    .map((fields) => `socket:[${fields[9]}]`);
}

function openFiles(pid: string): string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).flatMap((descriptor) => openFile(`${folder}/${descriptor}`));
  } catch {
    // The process ended meanwhile, or belongs to another user.
    return [];
  }
}

/** Nothing if it was closed meanwhile, as a server does with connections: its other files still count. */
function openFile(descriptor: string): string[] {
  try {
    return [readlinkSync(descriptor)];
  } catch {
    return [];
  }
}
