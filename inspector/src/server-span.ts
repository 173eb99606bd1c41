import { type Attributes, type Context, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { type Outcome, spanAttributes } from './http.ts';
import { type Parent, RecordingSpan, type SpanOrigin } from './span.ts';

const decoder = new TextDecoder();

/** The SERVER span of one request. It keeps the URL and not the request, and makes attributes when they are read. */
export class ServerSpan extends RecordingSpan {
  outcome: Outcome | undefined = undefined;
  private isHeld = false;
  /** Those that were not known when the span ended: of bodies and headers. */
  lateAttributes: Attributes | undefined = undefined;
  /** More of these, as UTF-8. */
  texts: Record<string, Uint8Array> | undefined = undefined;

  constructor(
    origin: SpanOrigin,
    parent: Parent | undefined,
    baseContext: Context | undefined,
    startMs: number,
    readonly method: string,
    readonly url: string,
  ) {
    super(origin, method, SpanKind.SERVER, parent, baseContext, startMs);
  }

  /** True if its attributes are those known from HTTP and the late ones, and no others. */
  get isPlain(): boolean {
    return this.recordedAttributes === undefined;
  }

  /** A value that a handler set replaces the one known from HTTP. */
  override get attributes(): Attributes {
    const attributes = Object.assign(spanAttributes(this.method, this.url, this.outcome), this.lateAttributes);
    for (const [name, text] of Object.entries(this.texts ?? {})) attributes[name] = decoder.decode(text);
    return Object.assign(attributes, this.recordedAttributes);
  }

  /**
   * Prepares the span to wait for its export. Texts are kept as bytes: a part of a text keeps all of it in memory, and a
   * string that outlives a garbage collection keeps Bun from freeing what lies around it.
   */
  keep(): void {
    const { lateAttributes = {}, texts = {} } = this;
    const strings = Object.entries(lateAttributes).filter(([, value]) => typeof value === 'string') as [
      string,
      string,
    ][];
    const all: [string, string | Uint8Array][] = [...strings, ...Object.entries(texts)];
    this.texts = Object.fromEntries(all.map(([name, text]) => [name, Buffer.from(text as Uint8Array)]));
    for (const [name] of strings) delete lateAttributes[name];
  }

  /** Ends the span at `nowMs` of the monotonic clock. A 4xx is the client's error and leaves the status unset. */
  finish(outcome: Outcome, nowMs: number): void {
    this.outcome = outcome;
    if (this.name === this.method) this.name = outcome.spanName;
    if (outcome.errorType !== undefined && this.status.code === SpanStatusCode.UNSET) {
      this.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.end(nowMs);
  }

  /** Delays the export of the span until `release()` is called. */
  hold(): void {
    this.isHeld = true;
  }

  /**
   * Lets the ended span be exported, with attributes that were not known when it ended. The bytes of `texts` are the caller's
   * again when this returns.
   */
  release(attributes: Attributes, texts?: Record<string, Uint8Array>): void {
    this.lateAttributes = attributes;
    this.texts = texts;
    super.handOver();
    if (this.texts === texts) this.texts = undefined;
  }

  protected override handOver(): void {
    if (!this.isHeld) super.handOver();
  }
}
