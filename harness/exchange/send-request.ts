import { type IncomingHttpHeaders, type IncomingMessage, request as send } from 'node:http';
import { readUpTo } from '../words/read-up-to.ts';
import { decompress } from './decompress.ts';
import { bodyOf } from './request-body.ts';
import type { Request } from './request-schema.ts';

const WHOLE_ANSWER_WITHIN_MS = 10_000;
/**
 * At least this much of a body is kept. The rest of one that is longer, and longer than expected,
 * is dropped.
 */
const KEPT_BYTES = 1024 ** 2;
const MAX_DECOMPRESSED_BYTES = 64 * KEPT_BYTES;
/** The load tool may take longer headers than the 16 kB that a client takes by default. */
const MAX_HEADER_BYTES = 1024 ** 2;

/** What came back for a request. */
export interface ReceivedAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The decompressed text; its start alone if it is very long. */
  body: string;
}

/**
 * Sends the request as it stands: a header that a client adds may change the answer. Of the body,
 * at least `expectedBytes` are kept.
 * @throws Error if no whole answer came in time
 */
export async function sendRequest(
  origin: string,
  request: Request,
  expectedBytes: number,
): Promise<ReceivedAnswer> {
  const timeout = AbortSignal.timeout(WHOLE_ANSWER_WITHIN_MS);
  try {
    const response = await openRequest(origin, request, timeout);
    const limit = Math.max(KEPT_BYTES, expectedBytes);
    const payload = await readUpTo(response, limit);
    const isCut = payload.length > limit;
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      // A payload that was cut can't be decompressed, and is longer than what is expected.
      body: isCut ? payload.toString() : decodedText(payload, response.headers['content-encoding']),
    };
  } catch (error) {
    if (!timeout.aborted) throw error;
    throw new Error(`no whole answer within ${WHOLE_ANSWER_WITHIN_MS / 1_000} s`);
  }
}

/** Sends the request, and returns the response as soon as its headers are there. */
function openRequest(
  origin: string,
  request: Request,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { hostname, port, host } = new URL(origin);
  const body = bodyOf(request);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const options = {
    hostname,
    port,
    method: request.method,
    path: request.path,
    headers: headersOf(request, host, body),
    agent: false as const,
    maxHeaderSize: MAX_HEADER_BYTES,
    setDefaultHeaders: false,
    signal,
  };
  send(options, resolve).on('error', reject).end(body);
  return promise;
}

/**
 * Returns the request's headers with what HTTP needs. A suite may set a host of its own, but no
 * length.
 */
function headersOf(
  request: Request,
  host: string,
  body: string | Buffer | undefined,
): Record<string, string | number> {
  const hasHost = Object.keys(request.headers).some((name) => /^host$/i.test(name));
  const length = request.chunked
    ? { 'transfer-encoding': 'chunked' }
    : { 'content-length': Buffer.byteLength(body ?? '') };
  return {
    ...(hasHost ? {} : { host }),
    ...(body === undefined ? {} : length),
    ...request.headers,
  };
}

/**
 * Returns the text of a payload in this content encoding.
 * @throws Error if it is not in that encoding, or too large
 */
function decodedText(payload: Buffer, encoding = 'identity'): string {
  if (payload.length === 0) return '';
  // A payload in an encoding that is not known here is compared as it is.
  const decompressed = decompress(payload, encoding, MAX_DECOMPRESSED_BYTES) ?? payload;
  return Buffer.from(decompressed).toString();
}
