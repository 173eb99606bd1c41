import { once } from 'node:events';
import {
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { freePort } from '../machine/free-port.ts';
import { LOOPBACK } from '../machine/loopback.ts';
import { readUpTo } from '../words/read-up-to.ts';
import { MAX_PAYLOAD_BYTES } from './intake.ts';
import type { RefusalKind } from './refusals.ts';

/** Every connection by HTTP/2 begins with this (RFC 9113). */
const HTTP2_START = 'PRI ';
/** Any other connection by HTTP begins with a method. */
const HTTP1_START = /^[A-Z]/;
/**
 * A message of gRPC begins with whether it is compressed, and its length (grpc.io,
 * PROTOCOL-HTTP2.md).
 */
const PREFIX_BYTES = 5;
const MAX_MESSAGE_BYTES = PREFIX_BYTES + MAX_PAYLOAD_BYTES;
/** The statuses of gRPC for those of HTTP. */
const GRPC_STATUSES: Record<number, string> = {
  // OK
  200: '0',
  // UNAVAILABLE
  503: '14',
};
const GRPC_UNIMPLEMENTED = '12';

/** What is done with requests that come to a port: an intake, or what stands before one. */
export interface RequestHandler {
  answer(request: Request): Promise<Response>;
  /** Counts what is not handed to `answer`. */
  refuse(kind: RefusalKind, name?: string): Response;
}

export interface Listening extends AsyncDisposable {
  /** Where it listens, as host and port. */
  address: string;
}

/**
 * Hands the handler what comes to a port of 127.0.0.1, by HTTP and by gRPC alike: an exporter needs
 * one address, whichever of the two it speaks. What is neither is refused. Returns the address;
 * disposing of it closes the port.
 */
export async function listen(handler: RequestHandler, port?: number): Promise<Listening> {
  // The kernel would take ports of clients, of which a load tool may leave none.
  const ownPort = port ?? (await freePort());
  const httpPort = await freePort([ownPort]);
  const http = Bun.serve({
    hostname: LOOPBACK,
    port: httpPort,
    // The handler may be one that never answers.
    idleTimeout: 0,
    fetch: (request) => handler.answer(request),
  });
  const http2 = createHttp2Server((request, response) => {
    void answerGrpc(handler, request, response);
  });
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (first) => {
      socket.unshift(first);
      const start = first.toString('latin1', 0, HTTP2_START.length);
      if (start === HTTP2_START) http2.emit('connection', socket);
      else if (HTTP1_START.test(start)) forward(socket, httpPort);
      else {
        handler.refuse('not-http');
        socket.destroy();
      }
    });
  });
  await listenOn(server, ownPort);
  return {
    address: `${LOOPBACK}:${ownPort}`,
    async [Symbol.asyncDispose]() {
      server.close();
      await http.stop(true);
    },
  };
}

/** @throws Error if the port is taken */
async function listenOn(server: Server, port: number): Promise<void> {
  server.listen(port, LOOPBACK);
  await once(server, 'listening');
}

function forward(socket: Socket, port: number): void {
  pipeline(socket, connect(port, LOOPBACK), socket, () => {});
}

/** Answers one call by gRPC. Its message is what the body of a request by HTTP would be. */
async function answerGrpc(
  handler: RequestHandler,
  request: Http2ServerRequest,
  response: Http2ServerResponse,
): Promise<void> {
  const message = await readUpTo(request, MAX_MESSAGE_BYTES).catch(() => Buffer.alloc(0));
  // A tracer that ends while it still sends does nothing wrong.
  const { status } = isWhole(message)
    ? await handler.answer(asHttpRequest(request, message))
    : handler.refuse('broken-off', `POST ${request.url}`);
  response.setHeader('content-type', 'application/grpc');
  response.addTrailers({ 'grpc-status': GRPC_STATUSES[status] ?? GRPC_UNIMPLEMENTED });
  // Bun sends no trailers without a body: this is an empty message.
  response.end(Buffer.alloc(PREFIX_BYTES));
}

/** Whether all of the message came, or as much as is read of a longer one. */
function isWhole(message: Buffer): boolean {
  if (message.length < PREFIX_BYTES) return false;
  const declaredBytes = PREFIX_BYTES + message.readUInt32BE(1);
  return message.length >= Math.min(declaredBytes, MAX_MESSAGE_BYTES);
}

function asHttpRequest({ url, headers }: Http2ServerRequest, message: Buffer): Request {
  const isCompressed = message[0] !== 0;
  return new Request(`http://${LOOPBACK}${url}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-protobuf',
      'content-encoding': isCompressed ? String(headers['grpc-encoding']) : 'identity',
    },
    body: message.subarray(PREFIX_BYTES),
  });
}
