import {
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';
import { readUpTo } from '../words/read-up-to.ts';
import { type Intake, MAX_BYTES } from './intake.ts';

const HOST = '127.0.0.1';
/** Before each message of gRPC: whether it is packed, and its length (grpc.io, PROTOCOL-HTTP2.md). */
const PREFIX_BYTES = 5;
/** OK, UNAVAILABLE, and for all others UNIMPLEMENTED. */
const STATUSES: Record<number, string> = { 200: '0', 503: '14' };

/** What is asked and told of what comes to a port. */
export type Taker = Pick<Intake, 'answer' | 'refuse'>;

/**
 * Lets the taker have what comes to a port of 127.0.0.1, by HTTP and by gRPC alike: whichever an exporter speaks, it needs
 * to be told but one address. What is neither is refused. Resolves with the address and what closes it.
 */
export async function listen(taker: Taker, port = 0) {
  // It may be told never to answer.
  const http = Bun.serve({
    hostname: HOST,
    port: 0,
    idleTimeout: 0,
    fetch: (request) => taker.answer(request),
  });
  const http2 = createHttp2Server((request, response) => void answerGrpc(taker, request, response));
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (first) => {
      socket.unshift(first);
      const start = first.toString('latin1', 0, 4);
      // What every connection by HTTP/2 begins with (RFC 9113).
      if (start === 'PRI ') http2.emit('connection', socket);
      else if (/^[A-Z]/.test(start))
        pipeline(socket, connect(http.port as number, HOST), socket, () => {});
      else {
        taker.refuse('TLS or another protocol');
        socket.destroy();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(port, HOST, resolve));
  const close = async () => {
    server.close();
    await http.stop(true);
  };
  return {
    address: `${HOST}:${(server.address() as { port: number }).port}`,
    [Symbol.asyncDispose]: close,
  };
}

/** One message of gRPC is what a request by HTTP would bring. */
async function answerGrpc(
  taker: Taker,
  request: Http2ServerRequest,
  response: Http2ServerResponse,
) {
  const longest = PREFIX_BYTES + MAX_BYTES;
  const body = await readUpTo(request, longest).catch(() => Buffer.alloc(0));
  const isWhole =
    body.length >= PREFIX_BYTES &&
    body.length >= Math.min(PREFIX_BYTES + body.readUInt32BE(1), longest);
  const packing = body[0] === 0 ? 'identity' : String(request.headers['grpc-encoding']);
  const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': packing };
  const init = { method: 'POST', headers, body: body.subarray(PREFIX_BYTES) };
  // As by HTTP: it is no fault of what came if a tracer ends while it still sends.
  const { status } = isWhole
    ? await taker.answer(new Request(`http://${HOST}${request.url}`, init))
    : taker.refuse(`POST ${request.url}, broken off,`);
  response.setHeader('content-type', 'application/grpc');
  response.addTrailers({ 'grpc-status': STATUSES[status] ?? '12' });
  // Bun sends no trailers without a body: an empty message.
  response.end(Buffer.alloc(PREFIX_BYTES));
}
