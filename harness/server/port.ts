import { readlinkSync } from 'node:fs';
import { type Process, processes } from '../machine/processes.ts';
import { ifThere, namesIn, readText } from '../machine/read.ts';

/** State of a listening socket in /proc/net/tcp (TCP_LISTEN in the kernel's tcp_states.h). */
const LISTEN = '0A';

/** All that listen on the TCP port, whatever the address, by /proc/net/tcp and open files; undefined without these. */
export function listeners(port: number): Process[] | undefined {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => readText(table) ?? []);
  if (tables.length === 0) return undefined;
  const sockets = new Set(tables.flatMap((table) => listeningSockets(table, port)));
  return processes().filter(({ pid }) => openFiles(pid).some((file) => sockets.has(file)));
}

function listeningSockets(table: string, port: number): string[] {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(`:${hexPort}`) && fields[3] === LISTEN)
    .map((fields) => `socket:[${fields[9]}]`);
}

/** Without those that are closed meanwhile, as a server does with connections. None if it belongs to another user. */
function openFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return namesIn(folder).flatMap((descriptor) => ifThere(() => readlinkSync(`${folder}/${descriptor}`)) ?? []);
}
