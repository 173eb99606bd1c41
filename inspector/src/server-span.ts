import { type Attributes, type AttributeValue, type Context, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { type Outcome, spanAttributes } from './http.ts';
import { type Parent, RecordingSpan, type SpanOrigin } from './span.ts';

const decoder = new TextDecoder();

/** Attributes that were not known when the span ended, of bodies and headers. A text may be given as its UTF-8. */
export type LateAttributes = Record<string, AttributeValue | Uint8Array>;

/** The SERVER span of one request. It keeps the URL and not the request, and makes attributes when they are read. */
export class ServerSpan extends RecordingSpan {
  outcome: Outcome | undefined = undefined;
  /** Whether the export of the span waits until `release()` is called. */
  isHeld = false;
  lateAttributes: LateAttributes | undefined = undefined;

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

  /** True if no attribute was set by the app. */
  get isPlain(): boolean {
    return this.recordedAttributes === undefined;
  }

  /** A value that a handler set replaces the one known from HTTP. */
  override get attributes(): Attributes {
    const attributes = spanAttributes(this.method, this.url, this.outcome);
    for (const [name, value] of Object.entries(this.lateAttributes ?? {}))
      attributes[name] = value instanceof Uint8Array ? decoder.decode(value) : value;
    return Object.assign(attributes, this.recordedAttributes);
  }

  /** Keeps texts as bytes: a slice holds its whole text, and an old string keeps Bun from freeing what lies around it. */
  keep(): void {
    const { lateAttributes } = this;
    for (const name in lateAttributes) {
      const value = lateAttributes[name];
      if (typeof value === 'string' || value instanceof Uint8Array) lateAttributes[name] = Buffer.from(value as string);
    }
  }

  /** Ends the span at `nowMs` of the monotonic clock. */
  finish(outcome: Outcome, nowMs: number): void {
    this.outcome = outcome;
    if (this.name === this.method) this.name = outcome.spanName;
    if (outcome.errorType !== undefined && this.status.code === SpanStatusCode.UNSET) {
      this.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.end(nowMs);
  }

  /** Lets the ended span be exported, with these attributes. Bytes among them are the caller's again when this returns. */
  release(attributes: LateAttributes): void {
    this.lateAttributes = attributes;
    super.handOver();
  }

  protected override handOver(): void {
    if (!this.isHeld) super.handOver();
  }
}
