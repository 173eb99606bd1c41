import { type IncomingHttpHeaders, type IncomingMessage, request as send } from 'node:http';
import { readUpTo } from '../words/read-up-to.ts';
import { decompress } from './decompress.ts';
import { MAX_HEADER_BYTES } from './header-limit.ts';
import { bodyOf } from './request-body.ts';
import type { Request } from './request-schema.ts';

/** How long a whole answer may take. */
const WHOLE_ANSWER_WITHIN_SECONDS = 10;
/**
 * At least this much of a body is kept. The rest of one that is longer, and longer than expected,
 * is dropped.
 */
const KEPT_BYTES = 1024 ** 2;
const MAX_DECOMPRESSED_BYTES = 64 * KEPT_BYTES;

/** What came back for a request. */
export interface ReceivedAnswer {
  /** The statuses of interim answers (1xx) that came before the answer. */
  interim: number[];
  status: number;
  headers: IncomingHttpHeaders;
  /** The decompressed text; its start alone if it is very long. */
  body: string;
}

/** An answer began, and had not ended when the time was over. */
export class UnfinishedAnswer extends Error {
  constructor(
    readonly headers: IncomingHttpHeaders,
    /** The bytes of the body that came. */
    readonly bytes: number,
    readonly afterSeconds: number,
  ) {
    super(`no end of the answer within ${afterSeconds} s`);
  }
}

/**
 * Sends the request as it stands: a header that a client adds may change the answer. Of the body,
 * at least `expectedBytes` are kept.
 * @param withinSeconds how long the whole answer may take
 * @throws UnfinishedAnswer, or another Error if there was no answer
 */
export async function sendRequest(
  origin: string,
  request: Request,
  expectedBytes: number,
  withinSeconds = WHOLE_ANSWER_WITHIN_SECONDS,
): Promise<ReceivedAnswer> {
  const timeout = AbortSignal.timeout(withinSeconds * 1e3);
  const interim: number[] = [];
  let begun: IncomingMessage | undefined;
  let bytes = 0;
  try {
    begun = await openRequest(origin, request, timeout, (status) => interim.push(status));
    const { statusCode = 0, headers } = begun;
    const limit = Math.max(KEPT_BYTES, expectedBytes);
    const payload = await readUpTo(
      counted(begun, (length) => {
        bytes += length;
      }),
      limit,
    );
    // An answer that a close would end just ends when the client gives up.
    if (timeout.aborted) throw new UnfinishedAnswer(headers, bytes, withinSeconds);
    const isCut = payload.length > limit;
    return {
      interim,
      status: statusCode,
      headers,
      // A payload that was cut can't be decompressed, and is longer than what is expected.
      body: isCut ? payload.toString() : decodedText(payload, headers['content-encoding']),
    };
  } catch (error) {
    if (!timeout.aborted) throw error;
    if (begun) throw new UnfinishedAnswer(begun.headers, bytes, withinSeconds);
    throw new Error(`no answer within ${withinSeconds} s`);
  }
}

/** Hands on a body, and tells the length of each piece. */
async function* counted(
  body: AsyncIterable<Uint8Array>,
  tellLength: (bytes: number) => void,
): AsyncIterable<Uint8Array> {
  for await (const piece of body) {
    tellLength(piece.length);
    yield piece;
  }
}

/** Sends the request, and returns the response as soon as its headers are there. */
function openRequest(
  origin: string,
  request: Request,
  signal: AbortSignal,
  tellInterim: (status: number) => void,
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
  send(options, resolve)
    .on('information', ({ statusCode }) => tellInterim(statusCode))
    .on('error', reject)
    .end(body);
  return promise;
}

/**
 * Returns the request's headers with what HTTP needs. A suite may set a host of its own, but no
 * length.
 */
export function headersOf(
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
