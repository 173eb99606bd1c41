import { readlinkSync } from 'node:fs';
import { connectionTables } from '../machine/connection-tables.ts';
import { orUndefined } from '../words/errors.ts';
import { namesIn } from '../words/files.ts';

/** State of a listening socket in /proc/net/tcp (TCP_LISTEN in the kernel's tcp_states.h). */
const LISTEN = '0A';

/** Where a process listens by TCP. */
export interface ListeningSocket {
  pid: number;
  /** Its address is written as in a URL: `127.0.0.1`, `[::1]`. */
  host: string;
  port: number;
}

/** A listening socket as the kernel lists it, without its process. */
interface SocketEntry {
  host: string;
  port: number;
  /** What a link in /proc/PID/fd names it. */
  link: string;
}

/**
 * Returns where these processes listen by TCP. Another user's have no such sockets, and without
 * /proc there are none.
 */
export function listeningSocketsOf(pids: readonly number[]): ListeningSocket[] {
  const entries = listeningEntries();
  return pids.flatMap((pid) => {
    const links = new Set(openFileLinks(pid));
    const own = entries.filter(({ link }) => links.has(link));
    return own.map(({ host, port }) => ({ pid, host, port }));
  });
}

/** Returns all TCP sockets that listen in the harness's network: no other takes its requests. */
function listeningEntries(): SocketEntry[] {
  const lines = connectionTables().flatMap((table) => table.split('\n'));
  return lines.flatMap((line) => parseEntry(line) ?? []);
}

/** Parses a line of /proc/net/tcp (proc_net_tcp(5)). Returns undefined for what does not listen. */
function parseEntry(line: string): SocketEntry | undefined {
  const fields = line.trim().split(/\s+/);
  const [, local = '', , state] = fields;
  if (state !== LISTEN) return undefined;
  const [hexAddress = '', hexPort = ''] = local.split(':');
  const inode = fields[9];
  return {
    host: parseAddress(hexAddress),
    port: Number.parseInt(hexPort, 16),
    link: `socket:[${inode}]`,
  };
}

/**
 * The kernel prints words of four bytes, each as a number of this machine: all that Bun runs on are
 * little-endian.
 */
function parseAddress(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => (word.match(/../g) ?? []).reverse());
  if (bytes.length === 4) return bytes.map((byte) => Number.parseInt(byte, 16)).join('.');
  return new URL(`http://[${bytes.join('').match(/.{4}/g)?.join(':')}]`).hostname;
}

/**
 * Returns what the open files of a process link to, but for those that it closes meanwhile; nothing
 * of another user's.
 */
function openFileLinks(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return namesIn(folder).flatMap(
    (descriptor) => orUndefined(() => readlinkSync(`${folder}/${descriptor}`)) ?? [],
  );
}

/** Whether somebody listens there. */
export async function acceptsConnections(hostname: string, port: number): Promise<boolean> {
  const connecting = Bun.connect({ hostname, port, socket: { data() {} } });
  const socket = await connecting.catch(() => undefined);
  // If the kernel happens to give it that very port, the socket connects to itself.
  const isAnswered = socket !== undefined && socket.localPort !== port;
  socket?.end();
  return isAnswered;
}
