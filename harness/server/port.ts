import { readlinkSync } from 'node:fs';
import { orUndefined } from '../words/errors.ts';
import { namesIn, readText } from '../words/files.ts';

/** State of a listening socket in /proc/net/tcp (TCP_LISTEN in the kernel's tcp_states.h). */
const LISTEN = '0A';

/** Where these processes listen by TCP: `127.0.0.1`, `[::1]`. Not those of another user, and none without /proc. */
export function listening(pids: number[]): { pid: number; host: string; port: number }[] {
  const sockets = listeningSockets();
  return pids.flatMap((pid) => {
    const files = new Set(openFiles(pid));
    return sockets.flatMap(({ file, ...socket }) => (files.has(file) ? { pid, ...socket } : []));
  });
}

/** All TCP sockets that listen in the harness's network: no other takes its requests. */
function listeningSockets() {
  const tables = ['tcp', 'tcp6'].map((table) => readText(`/proc/net/${table}`) ?? '');
  const lines = tables
    .flatMap((table) => table.split('\n'))
    .map((line) => line.trim().split(/\s+/));
  return lines.flatMap(([, local = '', , state, , , , , , inode]) => {
    const [hexAddress = '', hexPort = ''] = local.split(':');
    if (state !== LISTEN) return [];
    return {
      host: addressText(hexAddress),
      port: Number.parseInt(hexPort, 16),
      file: `socket:[${inode}]`,
    };
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
  return namesIn(folder).flatMap(
    (descriptor) => orUndefined(() => readlinkSync(`${folder}/${descriptor}`)) ?? [],
  );
}

/** Whether somebody listens there. */
export async function accepts(hostname: string, port: number): Promise<boolean> {
  const socket = await Bun.connect({ hostname, port, socket: { data() {} } }).catch(
    () => undefined,
  );
  // If the kernel happens to give it that very port, the socket connects to itself.
  const isAnswered = socket !== undefined && socket.localPort !== port;
  socket?.end();
  return isAnswered;
}
