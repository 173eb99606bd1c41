import { type Attributes, type AttributeValue, type Context, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { HeldText } from './held-text.ts';
import { type Outcome, spanAttributes } from './http.ts';
import { type Parent, RecordingSpan, type SpanOrigin } from './span.ts';

/** Attributes that are not known when a span ends. */
export type LateAttributes = Record<string, AttributeValue | HeldText>;

/** The SERVER span of one request. It keeps the URL and not the request, and makes attributes when they are read. */
export class ServerSpan extends RecordingSpan {
  outcome: Outcome | undefined = undefined;
  private isHeld = false;
  private lateAttributes: LateAttributes | undefined = undefined;

  constructor(
    origin: SpanOrigin,
    parent: Parent | undefined,
    baseContext: Context | undefined,
    startMs: number,
    readonly method: string,
    private heldUrl: string | HeldText,
  ) {
    super(origin, method, SpanKind.SERVER, parent, baseContext, startMs);
  }

  get url(): string {
    return typeof this.heldUrl === 'string' ? this.heldUrl : this.heldUrl.read();
  }

  /** True if its attributes are those known from HTTP, and no others. */
  get isPlain(): boolean {
    return this.recordedAttributes === undefined && this.lateAttributes === undefined;
  }

  /** A value that a handler set replaces the one known from HTTP. */
  override get attributes(): Attributes {
    const attributes = spanAttributes(this.method, this.url, this.outcome);
    if (this.isPlain) return attributes;
    for (const [name, value] of Object.entries(this.lateAttributes ?? {})) {
      attributes[name] = value instanceof HeldText ? value.read() : value;
    }
    return Object.assign(attributes, this.recordedAttributes);
  }

  /** Ends the span at `nowMs` of the monotonic clock. A 4xx is the client's error and leaves the status unset. */
  finish(outcome: Outcome, nowMs: number): void {
    this.outcome = outcome;
    if (this.name === this.method) this.name = outcome.endpoint.spanName;
    if (outcome.errorType !== undefined && this.status.code === SpanStatusCode.UNSET) {
      this.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.endAt(nowMs);
  }

  /** Delays the export of the span until `release()` is called. Until it is read, its URL is kept as a `HeldText`. */
  hold(): void {
    this.isHeld = true;
    this.heldUrl = HeldText.of(this.url);
  }

  /** Lets the ended span be exported, with attributes that were not known when it ended. */
  release(attributes: LateAttributes): void {
    this.lateAttributes = attributes;
    super.handOver();
  }

  protected override handOver(): void {
    if (!this.isHeld) super.handOver();
  }
}
