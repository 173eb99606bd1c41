import { type Captured, unread } from './captured.ts';
import { binaryCharacter, type Kind, kindOf } from './content-kind.ts';
import { HeldText } from './held-text.ts';
import { RequestBody } from './request-body.ts';
import { captureResponse, readable, textOf } from './response-body.ts';
import type { LateAttributes, ServerSpan } from './server-span.ts';
import { type Direction, noRules, parseLimitBytes, type Selection, type Transforms } from './transforms.ts';

/** What all recordings of one inspector share. */
export interface Recorder {
  readonly limitBytes: number;
  /** In lower case. */
  readonly headers: readonly string[];
  readonly transforms: Transforms;
  /** Recordings whose spans have ended, while their bodies are still being read. */
  readonly unfinished: Set<BodyRecording>;
  recorded: number;
  transformed: number;
}

/** Records the headers and bodies of one request and its response, and adds them to its span. */
export class BodyRecording {
  private readonly attributes: LateAttributes = {};
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
  finish(response: Response | undefined): void {
    if (response !== undefined) this.readResponse(response);
    const readingResponse = this.responseBody?.reading;
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

  private readResponse(response: Response): void {
    const { request, recorder } = this;
    const { headers, status } = readable(response);
    this.responseRules = recorder.transforms.select('response', request);
    this.recordHeaders('response', headers, this.responseRules);
    if (request.method === 'HEAD' || status === 204 || status === 304) return;
    const kind = kindOf(headers);
    // Bun gives a text its type only when it sends it.
    this.responseKind = kind === 'unknown' && textOf(response) !== undefined ? 'text' : kind;
    this.responseBody =
      kind === 'binary' ? unread : captureResponse(response, this.maxBytes(this.responseRules), request);
  }

  private recordBody(direction: Direction, kind: Kind, body: Captured, rules: Selection): void {
    const { attributes, recorder } = this;
    const { limitBytes } = recorder;
    const { text, size, isEnded } = body;
    const prefix = `http.${direction}.body`;
    if (kind === 'binary' || (kind === 'unknown' && binaryCharacter.test(text.read()))) {
      attributes[`${prefix}.binary`] = true;
      if (isEnded) attributes[`${prefix}.size`] = size;
      return;
    }
    const isWhole = isEnded && text.size === size;
    const shown = rules.needsWholeBody ? this.hide(text.read(), isWhole, rules) : text;
    if (shown === undefined) {
      attributes[`${prefix}.dropped`] = true;
      return;
    }
    const content = shown.size > limitBytes ? HeldText.of(shown.read(), limitBytes) : shown;
    attributes[`${prefix}.content`] = content;
    if (isEnded) attributes[`${prefix}.size`] = size;
    if (content !== shown || !isWhole) attributes[`${prefix}.truncated`] = true;
    recorder.recorded++;
  }

  /** Returns what the rules leave of a body, or undefined if it must not be recorded. */
  private hide(original: string, isWhole: boolean, rules: Selection): HeldText | undefined {
    const { text, isTransformed } = rules.body(original, isWhole);
    if (isTransformed) this.recorder.transformed++;
    return text === undefined ? undefined : HeldText.of(text);
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
