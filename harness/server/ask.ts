import { readFileSync } from 'node:fs';
import { type IncomingMessage, request as send } from 'node:http';
import { brotliDecompressSync, unzipSync } from 'node:zlib';
import type { Request } from '../suite/suite-schema.ts';

/** Of a body, so much is kept at least; of one that is longer, and longer than expected, the rest is dropped. */
const KEPT_BYTES = 1024 ** 2;
/** Of headers, so many are read: the load tool may take more than the 16 kB that a client takes by default. */
const HEADER_BYTES = 1024 ** 2;

/** An answer. `body`: unpacked, as text. */
interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

/**
 * Sends the request as it stands, without a header of the client's own: whatever a client adds may change the answer.
 * `expectedBytes`: of the body. @throws Error if there is no whole answer within the time
 */
export async function ask(origin: string, request: Request, expectedBytes: number, withinMs: number): Promise<Answer> {
  const { method, path, headers, chunked, bodyFile } = request;
  const { hostname, port, host } = new URL(origin);
  const body = bodyFile === undefined ? request.body : readFileSync(bodyFile);
  const length = chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': Buffer.byteLength(body ?? '') };
  // The suite's own go before these.
  const own = Object.entries({ host, ...(body !== undefined && length) });
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const all = { ...Object.fromEntries(own.filter(([name]) => !names.has(name))), ...headers };
  const signal = AbortSignal.timeout(withinMs);
  const options = {
    hostname,
    port,
    method,
    path,
    headers: all,
    agent: false as const,
    maxHeaderSize: HEADER_BYTES,
    setDefaultHeaders: false,
    signal,
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  send(options, resolve).on('error', reject).end(body);
  try {
    const response = await promise;
    const packed = await start(response, Math.max(KEPT_BYTES, expectedBytes));
    return { status: response.statusCode ?? 0, headers: response.headers, body: unpacked(packed, response.headers) };
  } catch (error) {
    throw signal.aborted ? new Error(`no whole answer within ${withinMs / 1_000} s`) : error;
  }
}

/** The start of a body, once all of it is there. */
async function start(response: IncomingMessage, bytes: number): Promise<Buffer> {
  const kept: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    // One byte more shows that it is longer than expected.
    if (length <= bytes) kept.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(kept);
}

function unpacked(body: Buffer, { 'content-encoding': encoding = 'identity' }: IncomingMessage['headers']): string {
  const unpack = { gzip: unzipSync, deflate: unzipSync, br: brotliDecompressSync }[encoding];
  const bytes = body.length > 0 && unpack ? unpack(body, { maxOutputLength: 64 * KEPT_BYTES }) : body;
  return bytes.toString();
}
