import {
  type Attributes,
  type AttributeValue,
  type Context,
  diag,
  type Exception,
  type HrTime,
  type Link,
  type Span,
  type SpanContext,
  type SpanKind,
  type SpanStatus,
  SpanStatusCode,
  type TimeInput,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import type { InstrumentationScope } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan, TimedEvent } from '@opentelemetry/sdk-trace-base';
import { epochOffsetMs, isTimeInput, toHrTime, toMonotonicMs } from './clock.ts';
import type { Scope } from './context.ts';
import { isAttributeValue, sanitizeAttributes } from './core.ts';
import { hex, randomBits } from './ids.ts';
import { sharedResource } from './resource.ts';

/** The SDK's default limit for a span's attributes, for its events and for its links. */
const limit = 128;

/** A number below it is a reading of `performance.now()`, and not ms since the epoch, which may be before this process. */
const leastEpochMs = performance.timeOrigin / 2;

// All spans share these until they have events, links or a status of their own.
const none = Object.freeze([]) as unknown as never[];
const unset: SpanStatus = Object.freeze({ code: SpanStatusCode.UNSET });

/** What all spans of one tracer share. */
export interface SpanOrigin {
  readonly instrumentationScope: InstrumentationScope;
  readonly processor: { onStart(): void; onEnd(span: RecordingSpan): void };
}

/** A span of this process, or the context of one that a remote caller or another tracer made. */
export type Parent = RecordingSpan | SpanContext;

/**
 * The API's `Span` and the SDK's `ReadableSpan` in one. Hex ids and `HrTime` pairs are made when they are read. With ten
 * spans of the SDK for each request, a server needed 3.2 times the CPU of one without spans.
 */
export class RecordingSpan implements Span, ReadableSpan, Scope {
  readonly local: LocalTrace;
  readonly idHigh = randomBits();
  readonly idLow = randomBits() || 1; // an id of zeros only would be invalid
  /** Ms of the monotonic clock, as `performance.now()` gives them. */
  readonly startMs: number;
  endMs: number | undefined = undefined;
  protected recordedAttributes: Attributes | undefined = undefined;
  private attributeCount = 0; // with those that were dropped
  private cachedSpanContext: SpanContext | undefined = undefined;
  private cachedContext: Context | undefined = undefined;
  events: TimedEvent[] = none;
  links: Link[] = none;
  status: SpanStatus = unset;
  droppedEventsCount = 0;
  droppedLinksCount = 0;

  /** @param baseContext the context that the span was started in. It is that of `parent` if it is left out. */
  constructor(
    private readonly origin: SpanOrigin,
    public name: string,
    readonly kind: SpanKind,
    readonly parent: Parent | undefined,
    private readonly baseContext?: Context,
    startTime?: TimeInput,
  ) {
    this.local = parent instanceof RecordingSpan ? parent.local : new LocalTrace(parent);
    this.startMs = this.local.msOf(startTime);
    origin.processor.onStart();
  }

  get ended(): boolean {
    return this.endMs !== undefined;
  }

  get resource(): Resource {
    return sharedResource();
  }

  get instrumentationScope(): InstrumentationScope {
    return this.origin.instrumentationScope;
  }

  /** Undefined for a root span. The type of a getter cannot say so under `exactOptionalPropertyTypes`. */
  get parentSpanContext(): SpanContext {
    const { parent } = this;
    return (parent instanceof RecordingSpan ? parent.spanContext() : parent) as SpanContext;
  }

  /** The context that it was started in, with this span as the active one. */
  get context(): Context {
    this.cachedContext ??= trace.setSpan(this.baseContext ?? (this.parent as RecordingSpan).context, this);
    return this.cachedContext;
  }

  get startTime(): HrTime {
    return toHrTime(this.local.epochOffsetMs, this.startMs);
  }

  get endTime(): HrTime {
    return this.endMs === undefined ? [0, 0] : toHrTime(this.local.epochOffsetMs, this.endMs);
  }

  get duration(): HrTime {
    return this.endMs === undefined ? [-1, -1] : toHrTime(0, this.endMs - this.startMs);
  }

  get attributes(): Attributes {
    return this.recordedAttributes ?? {};
  }

  get droppedAttributesCount(): number {
    return Math.max(0, this.attributeCount - limit);
  }

  spanContext(): SpanContext {
    const { id: traceId, remote } = this.local;
    this.cachedSpanContext ??= {
      traceId,
      spanId: hex(this.idHigh) + hex(this.idLow),
      traceFlags: TraceFlags.SAMPLED,
      ...(remote?.traceState && { traceState: remote.traceState }),
    };
    return this.cachedSpanContext;
  }

  isRecording(): boolean {
    return !this.ended;
  }

  setAttribute(key: string, value: AttributeValue): this {
    if (this.ended || value == null) return this;
    if (key.length === 0 || !isAttributeValue(value)) {
      diag.warn(`Invalid attribute, key: ${key}`);
      return this;
    }
    this.recordedAttributes ??= {};
    const isKept = Object.hasOwn(this.recordedAttributes, key) || this.attributeCount++ < limit;
    if (isKept) this.recordedAttributes[key] = value;
    return this;
  }

  setAttributes(attributes: Attributes): this {
    for (const key of Object.keys(attributes)) this.setAttribute(key, attributes[key] as AttributeValue);
    return this;
  }

  addEvent(name: string, attributesOrTime?: Attributes | TimeInput, time?: TimeInput): this {
    if (this.ended) return this;
    const isTime = isTimeInput(attributesOrTime);
    const attributes = sanitizeAttributes(isTime ? undefined : attributesOrTime);
    const ms = this.local.msOf(isTime ? (time ?? attributesOrTime) : time);
    const event = { name, attributes, droppedAttributesCount: 0, time: toHrTime(this.local.epochOffsetMs, ms) };
    if (this.events.length === limit) this.droppedEventsCount++;
    this.events = [...this.events, event].slice(-limit);
    return this;
  }

  addLink({ context, attributes }: Link): this {
    if (this.ended) return this;
    if (this.links.length === limit) this.droppedLinksCount++;
    this.links = [...this.links, { context, attributes: sanitizeAttributes(attributes) }].slice(-limit);
    return this;
  }

  addLinks(links: Link[]): this {
    for (const link of links) this.addLink(link);
    return this;
  }

  setStatus(status: SpanStatus): this {
    const { code, message } = status;
    if (this.ended || this.status.code === SpanStatusCode.OK || code === SpanStatusCode.UNSET) return this;
    this.status = code === SpanStatusCode.ERROR && typeof message === 'string' ? { code, message } : { code };
    return this;
  }

  updateName(name: string): this {
    if (!this.ended) this.name = name;
    return this;
  }

  recordException(exception: Exception, time?: TimeInput): void {
    // What is caught can be null or undefined.
    const { name, code, message, stack } = typeof exception === 'string' ? { message: exception } : (exception ?? {});
    const type = code ? code.toString() : name;
    const attributes: Attributes = {};
    if (type) attributes['exception.type'] = type;
    if (message) attributes['exception.message'] = message;
    if (stack) attributes['exception.stacktrace'] = stack;
    if (type || message) this.addEvent('exception', attributes, time);
  }

  /** Records what was thrown, which may be any value, and sets the status to ERROR. */
  fail(thrown: unknown): void {
    const exception = thrown instanceof Error ? thrown : { message: String(thrown) };
    this.recordException(exception);
    this.setStatus({ code: SpanStatusCode.ERROR, message: exception.message });
  }

  end(time?: TimeInput): void {
    if (this.ended) {
      diag.warn(`Span ${this.name} was ended twice`);
      return;
    }
    this.endMs = Math.max(this.startMs, this.local.msOf(time));
    this.handOver();
  }

  /** Passes the ended span on to be exported. */
  protected handOver(): void {
    this.origin.processor.onEnd(this);
  }
}

/** What the spans of one trace in this process share. */
class LocalTrace {
  readonly epochOffsetMs = epochOffsetMs();
  private cachedId: string | undefined = undefined;
  readonly bits0 = randomBits();
  readonly bits1 = randomBits();
  readonly bits2 = randomBits();
  readonly bits3 = randomBits() || 1;

  constructor(readonly remote: SpanContext | undefined) {}

  get id(): string {
    this.cachedId ??= this.remote?.traceId ?? hex(this.bits0) + hex(this.bits1) + hex(this.bits2) + hex(this.bits3);
    return this.cachedId;
  }

  /** Returns ms of the monotonic clock: now if no time is given. */
  msOf(given: TimeInput | undefined): number {
    if (given === undefined || !isTimeInput(given)) return performance.now();
    if (typeof given === 'number' && given < leastEpochMs) return given;
    return toMonotonicMs(given, this.epochOffsetMs);
  }
}
