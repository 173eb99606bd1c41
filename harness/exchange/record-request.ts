import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { MAX_HEADER_BYTES } from './header-limit.ts';
import { bodyOf } from './request-body.ts';
import type { Request } from './request-schema.ts';

/**
 * Headers of the connection, or of one message. Any other may change the answer, even the name of
 * the client.
 */
const CONNECTION_HEADERS = /^(host|connection|content-length|transfer-encoding|x-vegeta-\w+)$/i;
/** A client sends the request for a second, and should not send it as often as it can. */
const ANSWER_AFTER_MS = 50;

/** A request as it arrived. */
export interface RecordedRequest {
  message: IncomingMessage;
  body: Buffer;
}

/**
 * Listens on this address, and lets `sendTo` send requests to an origin there. Returns what
 * `sendTo` returned, and the first whole request that arrived; undefined if there was none.
 */
export async function recordRequest<T>(
  address: string,
  sendTo: (origin: string) => Promise<T>,
): Promise<{ sent: T; recorded: RecordedRequest | undefined }> {
  const arrived: RecordedRequest[] = [];
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, async (message, answer) => {
    // A client whose time is up may leave a request half sent.
    const body = await buffer(message).catch(() => undefined);
    if (body) arrived.push({ message, body });
    setTimeout(() => answer.end(), ANSWER_AFTER_MS);
  }).listen(0, address);
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const sent = await sendTo(`http://${address}:${port}`);
    return { sent, recorded: arrived[0] };
  } finally {
    server.close();
  }
}

/**
 * Returns in words what was sent otherwise than the request says; undefined if nothing was. No word
 * has a header's value.
 */
export function differenceIn(
  request: Request,
  { message, body }: RecordedRequest,
): string | undefined {
  const sentLine = `${message.method} ${message.url}`;
  const wantedLine = `${request.method} ${request.path}`;
  if (sentLine !== wantedLine)
    return `${JSON.stringify(sentLine)} where the suite says ${JSON.stringify(wantedLine)}`;
  if (!body.equals(bytesOf(request))) return 'another body than the suite';
  for (const [name, value] of Object.entries(request.headers)) {
    const received = message.headersDistinct[name.toLowerCase()];
    if (!Bun.deepEquals(received, [value.trim()]))
      return `another ${name} than the suite, or several`;
  }
  return undefined;
}

function bytesOf(request: Request): Buffer {
  const body = bodyOf(request) ?? '';
  return typeof body === 'string' ? Buffer.from(body) : body;
}

/** Returns the request with the headers that its client added, such as the type of its body. */
export function withAddedHeaders(request: Request, { message }: RecordedRequest): Request {
  const ownNames = new Set(Object.keys(request.headers).map((name) => name.toLowerCase()));
  const added = headersOf(message).filter(
    ([name]) => !ownNames.has(name.toLowerCase()) && !CONNECTION_HEADERS.test(name),
  );
  return {
    ...request,
    headers: { ...request.headers, ...Object.fromEntries(added) },
    chunked: message.headers['transfer-encoding'] === 'chunked',
  };
}

/** Returns names, as they were written, and values. Node lists both in turn. */
function headersOf({ rawHeaders }: IncomingMessage): [name: string, value: string][] {
  const headers: [string, string][] = [];
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  return headers;
}
