import { connect } from 'node:net';

/** Sends bytes. Resolves with all that comes until the server closes the connection. */
export function exchange(port: number | undefined, bytes: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const received: Buffer[] = [];
  const socket = connect(port as number, '127.0.0.1', () => socket.write(bytes));
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  socket.on('close', () => resolve(Buffer.concat(received).toString('latin1')));
  return promise;
}
