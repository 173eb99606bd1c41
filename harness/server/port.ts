import { readlinkSync } from 'node:fs';
import { processes } from '../machine/processes.ts';
import { ifThere, namesIn, readText } from '../machine/read.ts';

/** State of a listening socket in /proc/net/tcp (TCP_LISTEN in the kernel's tcp_states.h). */
const LISTEN = '0A';
/** Flags of one in /proc/net/unix (__SO_ACCEPTCON in the kernel's net.h). */
const ACCEPTS = '00010000';
/** 0.0.0.0 and :: there. */
const ANY_ADDRESS = /^0+$/;

/**
 * Numbers of all processes that listen on the TCP port, whatever the address, by /proc/net/tcp and open files; undefined
 * without these. `isOpen`: on all addresses.
 */
export function listeners(port: number): { pids: number[]; isOpen: boolean } | undefined {
  if (readText('/proc/net/tcp') === undefined) return undefined;
  const listening = listeningSockets('self').filter((socket) => socket.port === port);
  const sockets = new Set(listening.map(({ file }) => file));
  return {
    pids: [...processes().keys()].filter((pid) => openFiles(pid).some((file) => sockets.has(file))),
    isOpen: listening.some(({ hexAddress }) => ANY_ADDRESS.test(hexAddress)),
  };
}

/** Where these processes listen, each address with its port: `127.0.0.1:3000`, `[::1]:3000`; and paths of Unix sockets. */
export function addressesOf(pids: number[]): string[] {
  const own = pids.flatMap((pid) => {
    const files = new Set(openFiles(pid));
    // A process may have a network of its own.
    const tcp = listeningSockets(pid).filter(({ file }) => files.has(file));
    return [...tcp.map(({ hexAddress, port }) => `${addressText(hexAddress)}:${port}`), ...unixSockets(pid, files)];
  });
  return [...new Set(own)];
}

/** Paths of the Unix sockets on which a process listens, but for that of the probe. */
function unixSockets(pid: number, files: Set<string>): string[] {
  const lines = (readText(`/proc/${pid}/net/unix`) ?? '').split('\n').map((line) => line.split(/\s+/));
  const listening = lines.filter(([, , , flags, , , inode]) => flags === ACCEPTS && files.has(`socket:[${inode}]`));
  return listening.flatMap(([, , , , , , , path]) => (path && !path.endsWith(`/${pid}.sock`) ? [path] : []));
}

/** All TCP sockets that listen in the network of a process. */
function listeningSockets(pid: number | 'self') {
  const tables = ['tcp', 'tcp6'].map((table) => readText(`/proc/${pid}/net/${table}`) ?? '');
  const lines = tables.flatMap((table) => table.split('\n')).map((line) => line.trim().split(/\s+/));
  return lines.flatMap(([, local = '', , state, , , , , , inode]) => {
    const [hexAddress = '', hexPort = ''] = local.split(':');
    return state === LISTEN ? [{ hexAddress, port: Number.parseInt(hexPort, 16), file: `socket:[${inode}]` }] : [];
  });
}

/** The kernel prints words of four bytes, each as a number of this machine: all that Bun runs on are little-endian. */
function addressText(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => (word.match(/../g) ?? []).reverse());
  if (bytes.length === 4) return bytes.map((byte) => Number.parseInt(byte, 16)).join('.');
  return new URL(`http://[${bytes.join('').match(/.{4}/g)?.join(':')}]`).hostname;
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
