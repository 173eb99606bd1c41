import { diag } from '@opentelemetry/api';
import { type Captured, cut } from './captured.ts';
import { binaryCharacter, type Kind, kindOf } from './content-kind.ts';
import { RequestBody } from './request-body.ts';
import { captureResponse, isText, readable } from './response-body.ts';
import type { LateAttributes, ServerSpan } from './server-span.ts';
import { type Direction, noRules, parseLimitBytes, type Selection, type Transforms } from './transforms.ts';

/** What all recordings of one inspector share. */
export interface Recorder {
  readonly limitBytes: number;
  /** Names of recorded headers, in lower case. */
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

  constructor(
    private readonly recorder: Recorder,
    request: Request,
    private readonly span: ServerSpan,
  ) {
    span.isHeld = true;
    const { method, headers } = request;
    this.requestRules = recorder.transforms.select('request', request);
    this.recordHeaders('request', headers, this.requestRules);
    if (method !== 'GET' && method !== 'HEAD') {
      this.requestBody = RequestBody.of(request, this.maxBytes(this.requestRules));
    }
  }

  /** Records the response, if any, and what is left of the request, which is not kept: streaming may take hours. */
  finish(request: Request, response: Response | undefined): void {
    try {
      if (response !== undefined) this.readResponse(request, response);
    } catch (error) {
      // The handler may have returned what is no Response, or given bytes away. The server says what becomes of it.
      diag.error('A response cannot be recorded', error);
    }
    if (this.responseBody?.reading || this.requestBody?.pending) this.completeLater();
    else this.complete();
  }

  private async completeLater(): Promise<void> {
    const { unfinished } = this.recorder;
    unfinished.add(this);
    await this.responseBody?.reading;
    await this.requestBody?.pending;
    if (unfinished.delete(this)) this.complete();
  }

  /** Records what was read so far and lets the span be exported. Call it once. */
  complete(): void {
    const { responseBody } = this;
    const { captured: requestBody, kind } = this.requestBody ?? {};
    if (requestBody && kind) this.recordBody('request', kind, requestBody, this.requestRules);
    if (responseBody) this.recordBody('response', this.responseKind, responseBody, this.responseRules);
    requestBody?.stop?.();
    responseBody?.stop?.();
    this.span.release(this.attributes);
    responseBody?.recycle?.();
    if (!this.requestBody?.isShared) requestBody?.recycle?.();
  }

  private readResponse(request: Request, response: Response): void {
    const { recorder } = this;
    const { headers, status } = readable(response);
    this.responseRules = recorder.transforms.select('response', request);
    this.recordHeaders('response', headers, this.responseRules);
    if (request.method === 'HEAD' || status === 204 || status === 304) return;
    const kind = kindOf(headers);
    // Bun gives a text its type only when it sends it.
    this.responseKind = kind === 'unknown' && isText(response) ? 'text' : kind;
    const maxBytes = kind === 'binary' ? 0 : this.maxBytes(this.responseRules);
    this.responseBody = captureResponse(response, maxBytes, request);
  }

  private recordBody(direction: Direction, kind: Kind, body: Captured, rules: Selection): void {
    const { attributes, recorder } = this;
    const names = bodyNames[direction];
    const size = body.size ?? (direction === 'request' ? this.requestBody?.statedSize : undefined);
    if (size !== undefined) attributes[names.size] = size;
    if (kind === 'binary' || (kind === 'unknown' && binaryCharacter.test(body.text))) {
      attributes[names.binary] = true;
      return;
    }
    const transformed = rules.needsWholeBody ? rules.body(body.text, body.isWhole) : undefined;
    if (transformed?.isChanged) recorder.transformed++;
    const text = transformed ? transformed.text : (body.bytes ?? body.text);
    if (text === undefined) {
      attributes[names.dropped] = true;
      return;
    }
    const content = typeof text === 'string' ? cut(text, recorder.limitBytes) : text;
    attributes[names.content] = content;
    if (content.length < text.length || !body.isWhole) attributes[names.truncated] = true;
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

/** Made once, since to put a name together costs more than to set an attribute. */
const bodyNames = { request: namesOf('http.request.body'), response: namesOf('http.response.body') };

function namesOf(prefix: string) {
  return {
    content: `${prefix}.content`,
    size: `${prefix}.size`,
    truncated: `${prefix}.truncated`,
    binary: `${prefix}.binary`,
    dropped: `${prefix}.dropped`,
  };
}
