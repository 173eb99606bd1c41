// Servers of this process, and what one client sees of the connections that they close.
import { expect, test } from 'bun:test';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { askOnKeptConnections } from './kept-connections.ts';
import { requestSchema } from './request-schema.ts';

const ASKED = 40;

async function seenOf(server: Server, request = {}, ms = 10_000, closes = ASKED) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const requests = [requestSchema.parse(request)];
  const limits = { requests: ASKED, closes, ms };
  return askOnKeptConnections(`http://127.0.0.1:${port}`, requests, limits).finally(() =>
    server.close(),
  );
}

/** A server that does something else to every tenth request. */
function everyTenth(other: RequestListener): Server {
  let count = 0;
  return createServer((request, response) => {
    count++;
    if (count % 10 === 0) other(request, response);
    else response.end('Hi');
  });
}

const ALL = { asked: ASKED, answered: ASKED, announced: 0, unannounced: 0 };

test('a server that keeps its connections', async () => {
  expect(await seenOf(createServer((_, response) => response.end('Hi')))).toEqual(ALL);
});

test.each([
  ['a cut', (request) => request.socket.destroy()],
  ['a reset', (request) => (request.socket as { resetAndDestroy(): void }).resetAndDestroy()],
] satisfies [string, RequestListener][])('%s before an answer', async (_, cut) => {
  const seen = await seenOf(everyTenth(cut));
  expect(seen).toEqual({ ...ALL, answered: 36, unannounced: 4 });
});

test('a close after an answer that did not announce it', async () => {
  const silent = createTcpServer((socket) =>
    socket
      .on('error', () => {})
      .once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nHi')),
  );
  const { answered, announced, unannounced } = await seenOf(silent);
  expect({ announced, unannounced }).toEqual({ announced: 0, unannounced: ASKED / 2 });
  expect(answered).toBe(ASKED / 2);
});

test.each([
  ['says so', (_, response) => response.setHeader('connection', 'close').end('Hi')],
  ['ends its answer by it', (_, { socket }) => socket?.end('HTTP/1.1 200 OK\r\n\r\nHi')],
] satisfies [string, RequestListener][])('a server that closes and %s', async (_, close) => {
  expect(await seenOf(everyTenth(close))).toEqual({ ...ALL, announced: 4 });
});

test('a limit of requests on a connection is announced', async () => {
  const limited = createTcpServer((socket) => {
    let count = 0;
    socket
      .on('error', () => {})
      .on('data', () => {
        count++;
        const last = count === 8 ? 'Connection: close\r\n' : '';
        socket.write(`HTTP/1.1 200 OK\r\n${last}Content-Length: 2\r\n\r\nHi`);
        if (count === 8) socket.end();
      });
  });
  expect(await seenOf(limited)).toEqual({ ...ALL, announced: ASKED / 8 });
});

test('nobody asks on once the server has closed connections enough', async () => {
  const cutting = everyTenth((request) => request.socket.destroy());
  expect(await seenOf(cutting, {}, 10_000, 2)).toMatchObject({ asked: 20, unannounced: 2 });
});

test('bodies are sent whole, with a length and in chunks', async () => {
  for (const chunked of [false, true]) {
    const bodies: string[] = [];
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const piece of request) body += piece;
      bodies.push(body);
      response.end();
    });
    const request = { method: 'POST', body: '{"a":1}', chunked };
    expect(await seenOf(server, request)).toEqual(ALL);
    expect(new Set(bodies)).toEqual(new Set(['{"a":1}']));
  }
});

test('a server that falls silent is left, and so is one that is gone', async () => {
  const silent = await seenOf(
    createServer(() => {}),
    {},
    50,
  );
  expect(silent).toEqual({ asked: 0, answered: 0, announced: 0, unannounced: 0 });
  const gone = await askOnKeptConnections('http://127.0.0.1:1', [requestSchema.parse({})], {
    requests: 1,
    closes: 1,
    ms: 50,
  });
  expect(gone.asked).toBe(0);
});
