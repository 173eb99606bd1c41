import {
  type Attributes,
  type AttributeValue,
  type Context,
  diag,
  type Exception,
  type HrTime,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanKind,
  type SpanStatus,
  SpanStatusCode,
  type TimeInput,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import {
  hrTimeDuration,
  type InstrumentationScope,
  isAttributeValue,
  isTimeInput,
  sanitizeAttributes,
  timeInputToHrTime,
} from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan, TimedEvent } from '@opentelemetry/sdk-trace-base';
import * as semconv from '@opentelemetry/semantic-conventions';
import { epochOffsetMs, toHrTime } from './clock.ts';
import type { Scope } from './context.ts';
import { hex, randomBits } from './ids.ts';
import { sharedResource } from './resource.ts';
import type { SpanProcessor } from './span-processor.ts';

/** The SDK's default limit: for a span's attributes, events and links, and for the attributes of each event and link. */
const limit = 128;

// All spans share these until they have events, links or a status of their own.
const none = Object.freeze([]) as unknown as never[];
const unset: SpanStatus = Object.freeze({ code: SpanStatusCode.UNSET });

/** What all spans of one tracer share. */
export interface SpanOrigin {
  readonly instrumentationScope: InstrumentationScope;
  readonly processor: SpanProcessor;
}

/** A span of this process, or the context of one that a remote caller or another tracer made. */
export type Parent = RecordingSpan | SpanContext;

/**
 * A span that records: the API's `Span` and, for exporters, the SDK's `ReadableSpan` in one.
 *
 * With ten spans of the SDK's own class for each request, a server needed 3.2 times the CPU of one without spans. README
 * has the figure for this class. The SDK's class checks, copies and converts values at once. This one only takes the
 * time, draws random bits for its id and keeps its parent. It makes hex ids and `HrTime` pairs when they are read.
 */
export class RecordingSpan implements Span, ReadableSpan, Scope {
  readonly local: LocalTrace;
  readonly idHigh = randomBits();
  readonly idLow = randomBits() || 1; // an id of zeros only would be invalid
  private endMs = -1;
  private givenStart: HrTime | undefined = undefined;
  private givenEnd: HrTime | undefined = undefined;
  protected recordedAttributes: Attributes | undefined = undefined;
  private attributeCount = 0;
  private cachedSpanContext: SpanContext | undefined = undefined;
  private cachedContext: Context | undefined = undefined;
  events: TimedEvent[] = none;
  links: Link[] = none;
  status: SpanStatus = unset;
  droppedAttributesCount = 0;
  droppedEventsCount = 0;
  droppedLinksCount = 0;

  /** @param baseContext the context that the span was started in, if that holds more than the parent */
  constructor(
    private readonly origin: SpanOrigin,
    public name: string,
    readonly kind: SpanKind,
    readonly parent: Parent | undefined,
    private readonly baseContext?: Context,
    private readonly startMs = performance.now(),
  ) {
    this.local = parent instanceof RecordingSpan ? parent.local : new LocalTrace(parent, startMs);
    origin.processor.onStart();
  }

  get ended(): boolean {
    return this.endMs !== -1;
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

  /** The parent's context with this span as the active one. */
  get context(): Context {
    this.cachedContext ??= trace.setSpan(this.parentContext(), this);
    return this.cachedContext;
  }

  get startTime(): HrTime {
    return this.givenStart ?? toHrTime(this.local.epochOffsetMs, this.startMs);
  }

  get endTime(): HrTime {
    if (this.givenEnd !== undefined) return this.givenEnd;
    return this.ended ? toHrTime(this.local.epochOffsetMs, this.endMs) : [0, 0];
  }

  get duration(): HrTime {
    return this.ended ? hrTimeDuration(this.startTime, this.endTime) : [-1, -1];
  }

  get attributes(): Attributes {
    return this.recordedAttributes ?? {};
  }

  spanContext(): SpanContext {
    if (this.cachedSpanContext !== undefined) return this.cachedSpanContext;
    const spanId = hex(this.idHigh) + hex(this.idLow);
    const spanContext: SpanContext = { traceId: this.local.id, spanId, traceFlags: TraceFlags.SAMPLED };
    const traceState = this.local.remote?.traceState;
    if (traceState !== undefined) spanContext.traceState = traceState;
    this.cachedSpanContext = spanContext;
    return spanContext;
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
    const isNew = !Object.hasOwn(this.recordedAttributes, key);
    if (isNew && this.attributeCount === limit) {
      this.droppedAttributesCount++;
      return this;
    }
    this.recordedAttributes[key] = value;
    if (isNew) this.attributeCount++;
    return this;
  }

  setAttributes(attributes: Attributes): this {
    for (const key of Object.keys(attributes)) this.setAttribute(key, attributes[key] as AttributeValue);
    return this;
  }

  addEvent(name: string, attributesOrTime?: Attributes | TimeInput, time?: TimeInput): this {
    if (this.ended) return this;
    const isTime = isTimeInput(attributesOrTime);
    const attributes = limited(isTime ? undefined : attributesOrTime);
    const given = isTime ? (time ?? attributesOrTime) : time;
    const event = { name, ...attributes, time: this.timeOf(given, performance.now()) };
    if (this.events === none) this.events = [];
    this.droppedEventsCount += pushLimited(this.events, event);
    return this;
  }

  addLink({ context, attributes }: Link): this {
    if (this.ended) return this;
    if (this.links === none) this.links = [];
    this.droppedLinksCount += pushLimited(this.links, { context, ...limited(attributes) });
    return this;
  }

  addLinks(links: Link[]): this {
    for (const link of links) this.addLink(link);
    return this;
  }

  setStatus(status: SpanStatus): this {
    const isFinal = this.ended || this.status.code === SpanStatusCode.OK;
    if (isFinal || status.code === SpanStatusCode.UNSET) return this;
    const { code, message } = status;
    this.status = code === SpanStatusCode.ERROR && message !== undefined ? { code, message } : { code };
    return this;
  }

  updateName(name: string): this {
    if (!this.ended) this.name = name;
    return this;
  }

  recordException(exception: Exception, time?: TimeInput): void {
    const { name, code, message, stack } = typeof exception === 'string' ? { message: exception } : exception;
    const type = code?.toString() || name;
    const attributes: Attributes = {};
    if (type) attributes[semconv.ATTR_EXCEPTION_TYPE] = type;
    if (message) attributes[semconv.ATTR_EXCEPTION_MESSAGE] = message;
    if (stack) attributes[semconv.ATTR_EXCEPTION_STACKTRACE] = stack;
    if (type || message) this.addEvent('exception', attributes, time);
  }

  /** Records what was thrown, which may be any value, and sets the status to ERROR. */
  fail(thrown: unknown): void {
    const exception = thrown instanceof Error ? thrown : String(thrown);
    this.recordException(exception);
    const message = typeof exception === 'string' ? exception : exception.message;
    this.setStatus({ code: SpanStatusCode.ERROR, message });
  }

  /** Replaces the start time that the span took itself. */
  setStartTime(time: TimeInput): void {
    this.givenStart = this.timeOf(time, this.startMs);
  }

  end(time?: TimeInput): void {
    this.endAt(performance.now(), time);
  }

  /** Ends the span at `time`, or else at `nowMs` of the monotonic clock. */
  protected endAt(nowMs: number, time?: TimeInput): void {
    if (this.endMs !== -1) {
      diag.warn(`Span ${this.name} was ended twice`);
      return;
    }
    this.endMs = nowMs;
    if (time !== undefined || this.givenStart !== undefined) {
      const end = this.timeOf(time, nowMs);
      this.givenEnd = isBefore(end, this.startTime) ? this.startTime : end;
    }
    this.handOver();
  }

  /** Passes the ended span on to be exported. */
  protected handOver(): void {
    this.origin.processor.onEnd(this);
  }

  private parentContext(): Context {
    if (this.baseContext !== undefined) return this.baseContext;
    return this.parent instanceof RecordingSpan ? this.parent.context : ROOT_CONTEXT;
  }

  private timeOf(given: TimeInput | undefined, takenMs: number): HrTime {
    return isTimeInput(given) ? timeInputToHrTime(given) : toHrTime(this.local.epochOffsetMs, takenMs);
  }
}

/** What the spans of one trace in this process share. */
export class LocalTrace {
  readonly epochOffsetMs: number;
  private cachedId: string | undefined;
  readonly bits0 = randomBits();
  readonly bits1 = randomBits();
  readonly bits2 = randomBits();
  readonly bits3 = randomBits() || 1;

  constructor(
    readonly remote: SpanContext | undefined,
    startMs: number,
  ) {
    this.cachedId = remote?.traceId;
    this.epochOffsetMs = epochOffsetMs(startMs);
  }

  get id(): string {
    this.cachedId ??= hex(this.bits0) + hex(this.bits1) + hex(this.bits2) + hex(this.bits3);
    return this.cachedId;
  }
}

function isBefore(one: HrTime, other: HrTime): boolean {
  return one[0] < other[0] || (one[0] === other[0] && one[1] < other[1]);
}

/** Appends `item`, and removes the oldest item if there are too many. Returns how many were removed. */
function pushLimited<T>(items: T[], item: T): number {
  items.push(item);
  if (items.length <= limit) return 0;
  items.shift();
  return 1;
}

function limited(attributes: Attributes | undefined) {
  const entries = Object.entries(sanitizeAttributes(attributes));
  return {
    attributes: Object.fromEntries(entries.slice(0, limit)),
    droppedAttributesCount: Math.max(0, entries.length - limit),
  };
}
