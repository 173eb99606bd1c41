import type { Attributes } from '@opentelemetry/api';
import type { AnswerShapes } from './answer-shapes.ts';
import { type Captured, captureText, cut, StreamCapture } from './captured.ts';
import { binaryCharacter, type Kind, kindOf } from './content-kind.ts';
import type { Endpoint } from './http.ts';
import { RequestBody } from './request-body.ts';
import type { ServerSpan } from './server-span.ts';
import { type Direction, noRules, parseLimitBytes, type Selection, type Transforms } from './transforms.ts';

/** What all recordings of one inspector share. */
export interface Recorder {
  readonly limitBytes: number;
  /** In lower case. */
  readonly headers: readonly string[];
  readonly transforms: Transforms;
  readonly shapes: AnswerShapes;
  /** Recordings whose spans have ended, while their bodies are still being read. */
  readonly unfinished: Set<BodyRecording>;
  recorded: number;
  transformed: number;
}

/** Stands for a body that is not read. */
const unread: Captured = { text: '', size: 0, isEnded: false };

/** Records the headers and bodies of one request and its response, and adds them to its span. */
export class BodyRecording {
  private readonly attributes: Attributes = {};
  private readonly requestRules: Selection;
  private readonly requestBody: RequestBody | undefined;
  private responseRules = noRules;
  private responseKind: Kind = 'unknown';
  private responseBody: Captured | undefined = undefined;
  private isComplete = false;

  constructor(
    private readonly recorder: Recorder,
    private readonly request: Request,
    private readonly span: ServerSpan,
  ) {
    span.hold();
    const { method, headers } = request;
    this.requestRules = recorder.transforms.select('request', request);
    this.recordHeaders('request', headers, this.requestRules);
    if (method !== 'GET' && method !== 'HEAD') {
      this.requestBody = RequestBody.of(request, this.maxBytes(this.requestRules));
    }
  }

  /** Records the response, if there is one, and the rest of the request. Call it when the app has answered or thrown. */
  finish(response: Response | undefined, endpoint: Endpoint): void {
    const readingResponse = response && this.readResponse(response, endpoint);
    const readingRequest = this.requestBody?.pending;
    if (readingResponse || readingRequest) this.completeAfter(readingResponse, readingRequest);
    else this.complete();
  }

  private async completeAfter(response: Promise<void> | undefined, request: Promise<unknown> | undefined) {
    this.recorder.unfinished.add(this);
    await response;
    await request?.catch(() => {}); // The handler gets the error.
    this.complete();
  }

  /** Records what was read so far and lets the span be exported. */
  complete(): void {
    if (this.isComplete) return;
    this.isComplete = true;
    this.recorder.unfinished.delete(this);
    const { request, responseBody } = this;
    const requestBody = this.requestBody?.captured;
    if (requestBody) this.recordBody('request', kindOf(request.headers), requestBody, this.requestRules);
    if (responseBody) this.recordBody('response', this.responseKind, responseBody, this.responseRules);
    requestBody?.stop?.();
    responseBody?.stop?.();
    this.span.release(this.attributes);
  }

  private readResponse(response: Response, endpoint: Endpoint): Promise<void> | undefined {
    const { request, recorder } = this;
    const { headers, status } = response;
    this.responseRules = recorder.transforms.select('response', request);
    this.recordHeaders('response', headers, this.responseRules);
    if (request.method === 'HEAD' || status === 204 || status === 304) return undefined;
    this.responseKind = kindOf(headers);
    if (this.responseKind === 'binary') {
      this.responseBody = unread;
      return undefined;
    }
    let copy: Response;
    try {
      copy = response.clone() as Response;
    } catch {
      return undefined; // The handler has already read this body. The server will report that.
    }
    const type = headers.get('content-type');
    return recorder.shapes.isWhole(endpoint, type)
      ? this.readText(copy, endpoint, type)
      : this.readStream(copy, endpoint, type);
  }

  /** For a body that is there at once. To read it as a stream would take ten times as long. */
  private readText(copy: Response, endpoint: Endpoint, type: string | null): Promise<void> | undefined {
    const reading = copy.text();
    const text = Bun.peek(reading);
    if (typeof text === 'string') {
      this.responseBody = captureText(text);
      return undefined;
    }
    // This body is a stream after all. It is read to its end. Later ones will be read as streams.
    this.recorder.shapes.note(endpoint, type, false);
    return reading.then(
      (late) => {
        this.responseBody = captureText(late);
      },
      () => {},
    );
  }

  private readStream({ body }: Response, endpoint: Endpoint, type: string | null): Promise<void> | undefined {
    if (body === null) return undefined;
    const { shapes } = this.recorder;
    const capture = new StreamCapture(body, this.maxBytes(this.responseRules));
    this.responseBody = capture;
    // The source of a stream only ends when both of its readers have cancelled. So this one does when the client goes.
    const stopWithClient = () => this.request.signal.addEventListener('abort', () => capture.stop(), { once: true });
    const reading = capture.read(stopWithClient);
    if (shapes.isWhole(endpoint, type) !== undefined) return reading;
    return reading.then(() => shapes.note(endpoint, type, capture.isEnded && !capture.isStreamed));
  }

  private recordBody(direction: Direction, kind: Kind, body: Captured, rules: Selection): void {
    const { attributes, recorder } = this;
    const prefix = `http.${direction}.body`;
    if (kind === 'binary' || (kind === 'unknown' && binaryCharacter.test(body.text))) {
      attributes[`${prefix}.binary`] = true;
      if (body.isEnded) attributes[`${prefix}.size`] = body.size;
      return;
    }
    const isCaptureWhole = body.isEnded && body.size <= this.maxBytes(rules);
    const { text, isTransformed } = rules.body(body.text, isCaptureWhole);
    if (isTransformed) recorder.transformed++;
    if (text === undefined) {
      attributes[`${prefix}.dropped`] = true;
      return;
    }
    const content = cut(text, recorder.limitBytes);
    attributes[`${prefix}.content`] = content;
    if (body.isEnded) attributes[`${prefix}.size`] = body.size;
    if (content.length < text.length || !isCaptureWhole) attributes[`${prefix}.truncated`] = true;
    recorder.recorded++;
  }

  private recordHeaders(direction: Direction, headers: Headers, rules: Selection): void {
    for (const name of this.recorder.headers) {
      const value = headers.get(name);
      if (value === null) continue;
      const given = name === 'set-cookie' ? headers.getSetCookie() : [value];
      const transformed = given.map((each) => rules.header(name, each));
      if (transformed.some((each, index) => each !== given[index])) this.recorder.transformed++;
      const recorded = transformed.filter((each) => each !== undefined);
      if (recorded.length > 0) this.attributes[`http.${direction}.header.${name}`] = recorded;
    }
  }

  private maxBytes(rules: Selection): number {
    return rules.needsWholeBody ? parseLimitBytes : this.recorder.limitBytes;
  }
}
