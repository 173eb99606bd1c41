/**
 * A request and what must come back: this room sends a request of a suite by itself, and compares
 * the answer with the expected one. It takes requests and answers as `request-schema.ts` declares
 * them; it gives the answer's body, or an error that says what is wrong. Load, servers and what a
 * suite says beyond one request do not belong here.
 */
import { ScenarioProblem } from '../words/errors.ts';
import type { Answer, RequestAndAnswer } from './request-schema.ts';
import { type ReceivedAnswer, sendRequest } from './send-request.ts';

const REMEDY =
  'Fix the server, or in the suite the request (its path, the Content-Type of its body) ' +
  'or the "answer"';
/** Longer values are cut in messages. */
const MAX_QUOTED_LENGTH = 80;

/** No whole answer came in time. */
export class NoWholeAnswer extends ScenarioProblem {
  constructor(scenario: string, reason: string) {
    super(scenario, 'did not answer', reason, 'Fix the server');
  }
}

/** An answer came, and it is not what the suite expects. */
export class WrongAnswer extends ScenarioProblem {
  constructor(
    scenario: string,
    detail: string,
    shown: string,
    /** The HTTP status of that answer. */
    readonly status: number,
  ) {
    super(scenario, 'gave a wrong answer', detail, REMEDY, shown);
  }
}

/** A part of an answer, as it should be and as it is. */
interface Comparison {
  part: string;
  /** Undefined if the suite expects nothing of this part. */
  expected: string | number | undefined;
  received: string | number;
}

/**
 * Sends the request once to the server at `origin`. Returns the answer's body as text.
 * @throws NoWholeAnswer, or WrongAnswer if the answer is not what the suite expects
 */
export async function checkAnswer(
  server: { name: string },
  origin: string,
  { request, answer: expected }: RequestAndAnswer,
): Promise<string> {
  const expectedBytes = Buffer.byteLength(expected.body ?? '');
  const received = await sendRequest(origin, request, expectedBytes).catch((error: Error) => {
    throw new NoWholeAnswer(server.name, error.message);
  });
  const mismatch = findMismatch(expected, received);
  if (mismatch === undefined) return received.body;
  // An answer may hold secrets, as its request may: files keep no more than the status.
  const values = `: expected ${quote(mismatch.expected)}, received ${quote(mismatch.received)}`;
  const isPublic = mismatch.part === 'status';
  const part = `${request.method} ${request.path.split('?')[0]}: ${mismatch.part}`;
  const detail = isPublic ? part + values : part;
  throw new WrongAnswer(server.name, detail, isPublic ? '' : values, received.status);
}

/** Returns the first part of the answer that is not as expected; undefined if there is none. */
function findMismatch(expected: Answer, received: ReceivedAnswer): Comparison | undefined {
  const { status, headers, body } = received;
  const mediaType = headers['content-type']?.split(';')[0]?.trim() ?? 'none';
  const comparisons: Comparison[] = [
    { part: 'status', expected: expected.status, received: status },
    { part: 'media type', expected: expected.mediaType, received: mediaType },
    { part: 'body', expected: expected.body, received: body },
    ...Object.entries(expected.headers).map(([name, value]) => ({
      part: `header ${name}`,
      expected: value,
      received: String(headers[name.toLowerCase()] ?? 'no such header'),
    })),
  ];
  return comparisons.find((each) => each.expected !== undefined && each.expected !== each.received);
}

function quote(value: string | number | undefined): string {
  const text = String(JSON.stringify(value));
  return text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text;
}
