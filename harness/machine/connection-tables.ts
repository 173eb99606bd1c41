import { readText } from '../words/files.ts';

/**
 * Returns the texts of /proc/net/tcp and tcp6 (proc_net_tcp(5)): all connections and listening
 * sockets in the harness's network. Empty if nothing tells.
 */
export function connectionTables(): string[] {
  return ['tcp', 'tcp6'].flatMap((table) => readText(`/proc/net/${table}`) ?? []);
}
