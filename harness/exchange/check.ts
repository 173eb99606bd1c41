import { readFileSync } from 'node:fs';
import { type IncomingMessage, request as send } from 'node:http';
import { brotliDecompressSync, unzipSync } from 'node:zlib';
import { ScenarioProblem } from '../words/errors.ts';
import { startOf } from '../words/read.ts';
import type { Request, RequestAndAnswer } from './request-schema.ts';

const ANSWER_WITHIN_MS = 10_000;
/** What is wrong if no whole answer came in that time. */
export const NO_WHOLE_ANSWER = 'did not answer';
/** Of a body, so much is kept at least; of one that is longer, and longer than expected, the rest is dropped. */
const KEPT_BYTES = 1024 ** 2;
/** Of headers, so many are read: the load tool may take more than the 16 kB that a client takes by default. */
const HEADER_BYTES = 1024 ** 2;
const REMEDY =
  'Fix the server, or in the suite the request (its path, the Content-Type of its body) or the "answer"';

/** Sends the request once. Returns the answer's body. @throws ScenarioProblem if it is not what the suite expects. */
export async function checkAnswer(
  { name }: { name: string },
  origin: string,
  exchange: RequestAndAnswer,
): Promise<string> {
  const { request, answer: expected } = exchange;
  const { method, path } = request;
  const expectedBytes = Buffer.byteLength(expected.body ?? '');
  const { status, headers, body } = await ask(origin, request, expectedBytes).catch(
    ({ message }) => {
      throw new ScenarioProblem(name, NO_WHOLE_ANSWER, message, 'Fix the server');
    },
  );
  const mediaType = headers['content-type']?.split(';')[0]?.trim() ?? 'none';
  const compare = (
    what: string,
    wanted: string | number | undefined,
    received: string | number,
  ) => {
    if (wanted === undefined || wanted === received) return;
    // What an answer says may be as secret as what it was asked.
    const found = `: expected ${quote(wanted)}, received ${quote(received)}`;
    const [kept, shown] = what === 'status' ? [found, ''] : ['', found];
    const asked = `${method} ${path.split('?')[0]}: ${what}${kept}`;
    throw Object.assign(new WrongAnswer(name, 'gave a wrong answer', asked, REMEDY, shown), {
      status,
    });
  };
  compare('status', expected.status, status);
  compare('media type', expected.mediaType, mediaType);
  compare('body', expected.body, body);
  for (const [header, value] of Object.entries(expected.headers))
    compare(`header ${header}`, value, String(headers[header.toLowerCase()] ?? 'no such header'));
  return body;
}

/** An answer that is not what the suite expects, with its status. */
export class WrongAnswer extends ScenarioProblem {
  status = 0;
}

function quote(value: string | number): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** Sends the request as it stands: what a client adds may change the answer. @throws Error without a whole one in time. */
async function ask(origin: string, request: Request, expectedBytes: number) {
  const { method, path, headers, chunked, bodyFile } = request;
  const { hostname, port, host } = new URL(origin);
  const body = bodyFile === undefined ? request.body : readFileSync(bodyFile);
  const length = chunked
    ? { 'transfer-encoding': 'chunked' }
    : { 'content-length': Buffer.byteLength(body ?? '') };
  // A suite may have a host of its own, but no length.
  const hasHost = Object.keys(headers).some((name) => /^host$/i.test(name));
  const all = { ...(!hasHost && { host }), ...(body !== undefined && length), ...headers };
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const limits = {
    agent: false as const,
    maxHeaderSize: HEADER_BYTES,
    setDefaultHeaders: false,
    signal,
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  send({ hostname, port, method, path, headers: all, ...limits }, resolve)
    .on('error', reject)
    .end(body);
  try {
    const response = await promise;
    const limit = Math.max(KEPT_BYTES, expectedBytes);
    const packed = await startOf(response, limit);
    // What was cut can't be unpacked, and is longer than what is expected.
    const body = packed.length > limit ? packed.toString() : unpacked(packed, response.headers);
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  } catch (error) {
    throw signal.aborted
      ? new Error(`no whole answer within ${ANSWER_WITHIN_MS / 1_000} s`)
      : error;
  }
}

function unpacked(
  body: Buffer,
  { 'content-encoding': encoding = 'identity' }: IncomingMessage['headers'],
): string {
  const unpack = { gzip: unzipSync, deflate: unzipSync, br: brotliDecompressSync }[encoding];
  const bytes =
    body.length > 0 && unpack ? unpack(body, { maxOutputLength: 64 * KEPT_BYTES }) : body;
  return bytes.toString();
}
