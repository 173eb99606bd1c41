import type { Attributes } from '@opentelemetry/api';
import { type Captured, captureText, cut, StreamCapture } from './captured.ts';
import type { Endpoint, LateAttributes } from './http.ts';
import { RequestBody } from './request-body.ts';
import {
  describeRule,
  parseLimitBytes,
  type Selection,
  type TransformRule,
  Transforms,
} from './transforms.ts';

export interface BodiesOptions {
  /** How many bytes of a body's UTF-8 text are recorded; default 10,240. */
  limitBytes?: number;
  /** Names of headers that are recorded, of requests and of responses; none by default. */
  headers?: string[];
  /** What of it is hidden before it is recorded. */
  transforms?: TransformRule[];
}

type Direction = TransformRule['direction'];

/** How long a flush waits for bodies that are still streamed; then it takes what has come. */
const flushPatienceMs = 5_000;

/** Records bodies and headers on SERVER spans. Inactive unless asked for. */
export class BodiesInstrument {
  readonly limitBytes: number;
  readonly headers: readonly string[];
  private readonly transforms: Transforms;
  private recorded = 0;
  private transformed = 0;
  private readonly open = new Set<BodyRecording>();
  /** Whether an endpoint's answers, by their type, have all been there as a whole so far: strings, not streams. */
  private readonly wholeTypes = new WeakMap<Endpoint, Map<string | null, boolean>>();
  private isActive: boolean;

  constructor(options: BodiesOptions | undefined) {
    const { limitBytes = 10_240, headers = [], transforms = [] } = options ?? {};
    if (!Number.isSafeInteger(limitBytes) || limitBytes < 0)
      throw new Error(`Wrong limitBytes: ${limitBytes}`);
    this.limitBytes = limitBytes;
    this.headers = headers.map((name) => name.toLowerCase());
    this.transforms = new Transforms(transforms);
    this.isActive = options !== undefined;
  }

  get active(): boolean {
    return this.isActive;
  }

  /** Bodies whose text was recorded; bodies and headers that a rule changed or kept from being recorded. */
  get counts(): { readonly recorded: number; readonly transformed: number } {
    return { recorded: this.recorded, transformed: this.transformed };
  }

  /** Transform rules that have hidden nothing so far: likely they are misspelt. */
  get unmatchedRules(): readonly TransformRule[] {
    return this.transforms.unmatched;
  }

  activate(): void {
    this.isActive = true;
  }

  /** Requests that begin from here on are recorded without bodies and headers. */
  deactivate(): void {
    this.isActive = false;
  }

  /** Begins to record what the handler reads of `request`. */
  record(request: Request): BodyRecording {
    return new BodyRecording(this, request);
  }

  select(direction: Direction, request: Request): Selection {
    return this.transforms.select(direction, request);
  }

  countRecorded(): void {
    this.recorded++;
  }

  countTransformed(): void {
    this.transformed++;
  }

  /** True where every answer of that type so far was there as a whole, and there was one. */
  answersWhole(endpoint: Endpoint, type: string | null): boolean {
    return this.wholeTypes.get(endpoint)?.get(type) === true;
  }

  isKnown(endpoint: Endpoint, type: string | null): boolean {
    return this.wholeTypes.get(endpoint)?.has(type) === true;
  }

  /** Once a stream, always a stream. */
  noteAnswer(endpoint: Endpoint, type: string | null, isWhole: boolean): void {
    const types = this.wholeTypes.get(endpoint) ?? new Map<string | null, boolean>();
    this.wholeTypes.set(endpoint, types);
    if (types.get(type) !== false) types.set(type, isWhole);
  }

  opened(recording: BodyRecording): void {
    this.open.add(recording);
  }

  closed(recording: BodyRecording): void {
    this.open.delete(recording);
  }

  /** True while bodies are being read whose spans have ended. */
  get isWaiting(): boolean {
    return this.open.size > 0;
  }

  /** Resolves when what is being recorded now is complete. Streams without an end are recorded as far as they came. */
  async flush(): Promise<void> {
    let waiting = [...this.open];
    const deadline = performance.now() + flushPatienceMs;
    while (waiting.length > 0 && performance.now() < deadline) {
      await Bun.sleep(1);
      waiting = waiting.filter((recording) => this.open.has(recording));
    }
    for (const recording of waiting) recording.complete();
  }

  /** One line that names the rules which have hidden nothing; undefined where there are none. */
  get warning(): string | undefined {
    const { unmatchedRules } = this;
    if (unmatchedRules.length === 0) return undefined;
    return `Transform rules that never matched: ${unmatchedRules.map(describeRule).join('; ')}`;
  }
}

/** What is recorded of one request and its response. */
export class BodyRecording implements LateAttributes {
  private readonly attributes: Attributes = {};
  private readonly requestRules: Selection;
  private readonly requestBody: RequestBody | undefined;
  private responseRules: Selection | undefined = undefined;
  private responseKind: Kind = 'unknown';
  private responseBody: Captured | undefined = undefined;
  private isComplete = false;
  private handOver: ((attributes: Attributes) => void) | undefined = undefined;

  constructor(
    private readonly instrument: BodiesInstrument,
    private readonly request: Request,
  ) {
    const { method, headers } = request;
    this.requestRules = instrument.select('request', request);
    this.recordHeaders('request', headers, this.requestRules);
    if (method !== 'GET' && method !== 'HEAD') {
      this.requestBody = RequestBody.of(request, this.maxBytes(this.requestRules));
    }
  }

  whenComplete(handOver: (attributes: Attributes) => void): void {
    if (this.isComplete) handOver(this.attributes);
    else this.handOver = handOver;
  }

  /** The handler is through: records the response, if there is one, and what is left to come of the request. */
  finish(response: Response | undefined, endpoint: Endpoint): void {
    const reading = response && this.readResponse(response, endpoint);
    const pending = this.requestBody?.pending;
    if (reading === undefined && pending === undefined) {
      this.complete();
      return;
    }
    this.instrument.opened(this);
    const complete = () => this.complete();
    if (pending === undefined) reading?.then(complete);
    else Promise.allSettled([reading, pending]).then(complete);
  }

  private readResponse(response: Response, endpoint: Endpoint): Promise<void> | undefined {
    const { request, instrument } = this;
    const rules = instrument.select('response', request);
    this.responseRules = rules;
    this.recordHeaders('response', response.headers, rules);
    if (request.method === 'HEAD' || response.status === 204 || response.status === 304) return undefined;
    this.responseKind = kindOf(response.headers);
    if (this.responseKind === 'binary') {
      this.skip('response', undefined);
      return undefined;
    }
    const type = response.headers.get('content-type');
    return this.instrument.answersWhole(endpoint, type)
      ? this.readText(response, endpoint, type)
      : this.readCopy(response, rules, endpoint, type);
  }

  /**
   * A string is at hand at once, for a tenth of what it costs to read it as a stream. Where it turns out to be a stream
   * after all, this one is read to its end, and those that follow are read as streams.
   */
  private readText(response: Response, endpoint: Endpoint, type: string | null): Promise<void> | undefined {
    let reading: Promise<string>;
    try {
      reading = response.clone().text();
    } catch {
      return undefined; // As below.
    }
    const text = Bun.peek(reading);
    if (typeof text === 'string') {
      this.responseBody = captureText(text);
      return undefined;
    }
    this.instrument.noteAnswer(endpoint, type, false);
    return reading.then(
      (late) => {
        this.responseBody = captureText(late);
      },
      () => {},
    );
  }

  private readCopy(
    response: Response,
    rules: Selection,
    endpoint: Endpoint,
    type: string | null,
  ): Promise<void> | undefined {
    let copy: ReadableStream | null;
    try {
      copy = response.clone().body;
    } catch {
      return undefined; // Used up by the handler; what becomes of it is the server's business.
    }
    if (copy === null) return undefined;
    const body = new StreamCapture(copy, this.maxBytes(rules));
    this.responseBody = body;
    // A stream ends for its source when both readers have cancelled: so that it does when the client goes.
    const reading = body.read(() =>
      this.request.signal.addEventListener('abort', () => body.stop(), { once: true }),
    );
    return this.instrument.isKnown(endpoint, type) ? reading : this.learn(reading, body, endpoint, type);
  }

  /** What ends within this turn of the event loop was there as a whole. */
  private learn(reading: Promise<void>, body: StreamCapture, endpoint: Endpoint, type: string | null) {
    let isPrompt = true;
    setImmediate(() => {
      isPrompt = false;
    });
    return reading.then(() => this.instrument.noteAnswer(endpoint, type, isPrompt && body.isEnded));
  }

  /** Makes the attributes of what was read so far. */
  complete(): void {
    if (this.isComplete) return;
    this.isComplete = true;
    this.instrument.closed(this);
    const { request, requestBody, responseBody, responseRules } = this;
    const requested = requestBody?.current;
    if (requested !== undefined) {
      this.describe('request', kindOf(request.headers), requested, this.requestRules);
    }
    if (responseBody && responseRules) {
      this.describe('response', this.responseKind, responseBody, responseRules);
    }
    requestBody?.stop();
    if (responseBody instanceof StreamCapture) responseBody.stop();
    this.handOver?.(this.attributes);
  }

  private describe(direction: Direction, kind: Kind, body: Captured, rules: Selection): void {
    if (kind === 'binary' || (kind === 'unknown' && binaryCharacter.test(body.text))) {
      this.skip(direction, body);
      return;
    }
    const { attributes, instrument } = this;
    const prefix = `http.${direction}.body`;
    const isCaptureWhole = body.isEnded && body.size <= this.maxBytes(rules);
    const { text, isTransformed } = rules.body(body.text, isCaptureWhole);
    if (isTransformed) instrument.countTransformed();
    if (text === undefined) {
      attributes[`${prefix}.dropped`] = true;
      return;
    }
    const content = cut(text, instrument.limitBytes);
    attributes[`${prefix}.content`] = content;
    if (body.isEnded) attributes[`${prefix}.size`] = body.size;
    if (content.length < text.length || !isCaptureWhole) attributes[`${prefix}.truncated`] = true;
    instrument.countRecorded();
  }

  /** Of a body that isn't text its size is recorded, where it was read. */
  private skip(direction: Direction, body: Captured | undefined): void {
    const prefix = `http.${direction}.body`;
    this.attributes[`${prefix}.binary`] = true;
    if (body?.isEnded) this.attributes[`${prefix}.size`] = body.size;
  }

  private recordHeaders(direction: Direction, headers: Headers, rules: Selection): void {
    for (const name of this.instrument.headers) {
      const value = headers.get(name);
      if (value === null) continue;
      const given = name === 'set-cookie' ? headers.getSetCookie() : [value];
      const recorded = given.map((each) => rules.header(name, each)).filter((each) => each !== undefined);
      if (recorded.some((each, index) => each !== given[index]) || recorded.length < given.length) {
        this.instrument.countTransformed();
      }
      if (recorded.length > 0) this.attributes[`http.${direction}.header.${name}`] = recorded;
    }
  }

  private maxBytes(rules: Selection): number {
    return rules.needsWholeBody ? parseLimitBytes : this.instrument.limitBytes;
  }
}

const textType =
  /^(text\/|application\/(json|xml|javascript|x-www-form-urlencoded|x-ndjson|graphql|yaml)\b|[^;]+\+(json|xml)\b)/i;

/** What text has none of, by the WHATWG's MIME Sniffing, or what stands for bytes that aren't UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they tell binary data
const binaryCharacter = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f\ufffd]/;

type Kind = 'text' | 'binary' | 'unknown';

/** By the type, which Bun gives a string without one only when it is sent. */
function kindOf(headers: Headers): Kind {
  if (headers.has('content-encoding')) return 'binary';
  const type = headers.get('content-type');
  if (type === null) return 'unknown';
  return textType.test(type) ? 'text' : 'binary';
}
