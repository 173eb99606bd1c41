/**
 * A request and what must come back: this room sends a request of a suite by itself, and compares
 * the answer with the expected one. It takes requests and answers as `request-schema.ts` declares
 * them; it gives the answer's body, or an error that says what is wrong. Load, servers and what a
 * suite says beyond one request do not belong here.
 */
import { ScenarioProblem } from '../words/errors.ts';
import type { Answer, RequestAndAnswer } from './request-schema.ts';
import { type ReceivedAnswer, sendRequest, UnfinishedAnswer } from './send-request.ts';

const REMEDY =
  'Fix the server, or in the suite the request (its path, the Content-Type of its body) ' +
  'or the "answer"';
const REDIRECT_REMEDY =
  'Ask for the path where it leads, in the "request" of the suite, or send with it the headers ' +
  'that it wants: load tools follow no redirect';
const NO_ANSWER_REMEDY =
  'See by hand what it waits for (curl), such as a service that it does not reach, or ask for ' +
  'another path in the "request" of the suite';
const ENDLESS_REMEDY =
  'An answer without an end can\'t be measured: choose a request that ends, in the "request" of ' +
  'the suite';
const TOO_SHORT_REMEDY =
  'Let the server send as many bytes as its Content-Length says, or choose a request with a ' +
  'shorter answer in the suite';
const CLOSED_REMEDY =
  'See by what it prints whether it fails or ends at that. Let it answer each request, or announce ' +
  'with the answer before it that it closes the connection ("Connection: close")';
/** Longer values are cut in messages. */
const MAX_QUOTED_LENGTH = 80;

/** No whole answer came in time. */
export class NoWholeAnswer extends ScenarioProblem {
  constructor(
    scenario: string,
    reason: string,
    what = 'did not answer',
    remedy = NO_ANSWER_REMEDY,
  ) {
    super(scenario, what, reason, remedy);
  }
}

/** An answer without an end, such as a stream of events: to ask again helps nothing. */
export class EndlessAnswer extends NoWholeAnswer {
  constructor(scenario: string, detail: string) {
    super(scenario, detail, 'gives an answer without an end', ENDLESS_REMEDY);
  }
}

/** The server closed the connection before its answer was whole. */
export class ClosedConnection extends NoWholeAnswer {
  constructor(scenario: string, asked: string) {
    super(scenario, `${asked}: it closed the connection`, 'did not answer', CLOSED_REMEDY);
  }
}

/** An interim answer (1xx) came first, and whoever makes the load takes it for the answer. */
export class MistakenInterim extends ScenarioProblem {}

/**
 * Returns what to do about an interim answer with this status; undefined if whoever makes the load
 * waits for the answer that follows.
 */
export type InterimRemedy = (status: number) => string | undefined;

/** An answer came, and it is not what the suite expects. */
export class WrongAnswer extends ScenarioProblem {
  constructor(
    scenario: string,
    detail: string,
    shown: string,
    /** The HTTP status of that answer. */
    readonly status: number,
  ) {
    const remedy = isRedirect(status) ? REDIRECT_REMEDY : REMEDY;
    super(scenario, 'gave a wrong answer', detail, remedy, shown);
  }
}

/** A part of an answer, as it should be and as it is. */
interface Comparison {
  part: string;
  /** Undefined if the suite expects nothing of this part. */
  expected: string | number | undefined;
  received: string | number;
}

/** How an answer is checked. */
export interface AnswerCheck {
  /** Of whoever makes the load; without one, interim answers don't matter. */
  interimRemedy?: InterimRemedy | undefined;
  /** How long the whole answer may take. */
  withinSeconds?: number | undefined;
}

/**
 * Sends the request once to the server at `origin`. Returns the answer's body as text.
 * @throws NoWholeAnswer, MistakenInterim, or WrongAnswer if the answer is not what the suite
 * expects
 */
export async function checkAnswer(
  server: { name: string },
  origin: string,
  { request, answer: expected }: RequestAndAnswer,
  { interimRemedy = () => undefined, withinSeconds }: AnswerCheck = {},
): Promise<string> {
  const expectedBytes = Buffer.byteLength(expected.body ?? '');
  const asked = `${request.method} ${request.path.split('?')[0]}`;
  const received = await sendRequest(origin, request, expectedBytes, withinSeconds).catch(
    (error: Error) => {
      throw noWholeAnswer(server.name, asked, error);
    },
  );
  checkInterim(server.name, asked, received, interimRemedy);
  const mismatch = findMismatch(expected, received);
  if (mismatch === undefined) return received.body;
  // An answer may hold secrets, as its request may: files keep no more than the status.
  const values = `: expected ${quote(mismatch.expected)}, received ${quote(mismatch.received)}`;
  const isPublic = mismatch.part === 'status';
  const part = `${asked}: ${mismatch.part}`;
  const detail = isPublic ? part + values : part;
  const shown = isPublic ? destinationOf(received) : values;
  throw new WrongAnswer(server.name, detail, shown, received.status);
}

/** Tells an answer without an end, or one that is too short, from no answer at all. */
function noWholeAnswer(
  scenario: string,
  asked: string,
  error: NodeJS.ErrnoException,
): NoWholeAnswer {
  if (error.code === 'ECONNRESET') return new ClosedConnection(scenario, asked);
  if (!(error instanceof UnfinishedAnswer)) return new NoWholeAnswer(scenario, error.message);
  const { headers, bytes, afterSeconds } = error;
  const mediaType = headers['content-type']?.split(';')[0] ?? 'no media type';
  const length = headers['content-length'];
  const seen = `${asked} (${mediaType}): its headers came`;
  if (length === undefined) {
    const detail = `${seen}, then ${bytes} bytes, and no end within ${afterSeconds} s`;
    return new EndlessAnswer(scenario, detail);
  }
  const detail = `${seen}, and ${bytes} of ${length} bytes within ${afterSeconds} s`;
  return new NoWholeAnswer(scenario, detail, 'did not end its answer', TOO_SHORT_REMEDY);
}

/** @throws MistakenInterim for the first one that is taken for the answer */
function checkInterim(
  scenario: string,
  asked: string,
  { interim, status: final }: ReceivedAnswer,
  interimRemedy: InterimRemedy,
): void {
  for (const status of interim) {
    const remedy = interimRemedy(status);
    if (remedy === undefined) continue;
    const detail = `${asked}: ${status} comes before ${final}, and the load tool takes it for the answer`;
    throw new MistakenInterim(scenario, 'sends an interim answer', detail, remedy);
  }
}

/** Returns where a redirect leads; empty for any other answer. */
function destinationOf({ status, headers }: ReceivedAnswer): string {
  const { location } = headers;
  return isRedirect(status) && location !== undefined ? `, which leads to ${quote(location)}` : '';
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
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
