import { expect, test } from 'bun:test';
import { listeners } from './port.ts';

/** Prints the port on which it listens, and opens and closes files all the time, as a server under load does. */
const BUSY = `
  const { closeSync, openSync } = require('node:fs');
  console.log(Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('Hi') }).port);
  setInterval(() => { for (let n = 0; n < 200; n++) closeSync(openSync('/dev/null')); }, 0);`;

test('a process that listens is found each time, whatever else it opens and closes', async () => {
  const server = Bun.spawn(['bun', '-e', BUSY], { stdout: 'pipe', detached: true });
  try {
    const { value } = await server.stdout.getReader().read();
    const port = Number(new TextDecoder().decode(value));
    for (let count = 0; count < 50; count++)
      expect(listeners(port)).toMatchObject([{ pid: server.pid, groupId: server.pid }]);
  } finally {
    server.kill();
    await server.exited;
  }
});

test('nobody listens on a port that is free', async () => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('Hi') });
  const port = Number(server.port);
  expect(listeners(port)?.map(({ pid }) => pid)).toEqual([process.pid]);
  await server.stop(true);
  expect(listeners(port)).toEqual([]);
});
