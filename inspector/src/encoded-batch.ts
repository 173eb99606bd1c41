import { type Link, type SpanStatus, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import type { InstrumentationScope } from '@opentelemetry/core';
import type { TimedEvent } from '@opentelemetry/sdk-trace-base';
import { type Outcome, partsOf, spanAttributes, targetOf } from './http.ts';
import { beginResource, beginScope, writeAttribute, writeAttributes, writeTime } from './otlp-common.ts';
import type { Send } from './otlp-http.ts';
import { ProtobufWriter } from './protobuf-writer.ts';
import { ServerSpan } from './server-span.ts';
import { RecordingSpan } from './span.ts';
import type { SpanBatch } from './span-processor.ts';

// Bits of a span's flags, above those of W3C Trace Context.
const hasIsRemote = 0x100;
const remote = 0x200;

/** Size of a buffer. Receivers take it. Each request takes 45 µs and 0.13 µs per KiB, so smaller ones make spans dearer. */
const wholeBytes = 256 * 1024;
/** What is kept free for the next span at most. */
const mostRoomBytes = 32 * 1024;

/** Writers that were used before, because fresh memory costs as much as what is written into it. */
const idle: ProtobufWriter[] = [];
const mostIdle = 4;

/** Spans as an `ExportTraceServiceRequest` of OTLP 1.x (trace.proto). Each is encoded at once, so that none is kept. */
export class EncodedBatch implements SpanBatch {
  private readonly writer = idle.pop() ?? new ProtobufWriter();
  private readonly resourceStart = beginResource(this.writer);
  private scope: InstrumentationScope | undefined = undefined;
  private scopeStart = 0;

  constructor(private readonly send: Send) {}

  /** True if the next span might not fit. A buffer that grows doubles, and a server then takes up to 7 % more memory. */
  get isWhole(): boolean {
    return this.writer.length + Math.min(2 * latestSpanBytes, mostRoomBytes) > wholeBytes;
  }

  add(span: RecordingSpan): void {
    const { writer } = this;
    if (span.instrumentationScope !== this.scope) this.beginScope(span.instrumentationScope);
    const before = writer.length;
    try {
      writeSpan(writer, span);
    } catch (error) {
      writer.length = before;
      throw error;
    }
  }

  async export(): Promise<void> {
    const { writer } = this;
    this.endScope();
    writer.close(this.resourceStart);
    await this.send(writer.message);
    // If it failed, what sent it may still read it.
    writer.length = 0;
    if (idle.length < mostIdle && writer.capacity <= wholeBytes) idle.push(writer);
  }

  private beginScope(scope: InstrumentationScope): void {
    this.endScope();
    this.scope = scope;
    this.scopeStart = beginScope(this.writer, scope);
  }

  private endScope(): void {
    if (this.scope !== undefined) this.writer.close(this.scopeStart);
  }
}

/** Spans with bodies are long, and one is much like the one before it. */
let latestSpanBytes = 0;

function writeSpan(writer: ProtobufWriter, span: RecordingSpan): void {
  const { parent, local, status } = span;
  const start = writer.open(2, latestSpanBytes);
  if (local.remote === undefined) writer.id128(1, local.bits0, local.bits1, local.bits2, local.bits3);
  else writeHex(writer, 1, local.id);
  writer.id64(2, span.idHigh, span.idLow);
  const traceState = local.remote?.traceState?.serialize();
  if (traceState) writer.text(3, traceState);
  if (parent instanceof RecordingSpan) writer.id64(4, parent.idHigh, parent.idLow);
  else if (parent !== undefined) writeHex(writer, 4, parent.spanId);
  writer.text(5, span.name);
  writer.integer(6, span.kind + 1);
  writeTime(writer, 7, local.epochOffsetMs, span.startMs);
  writeTime(writer, 8, local.epochOffsetMs, span.endMs as number);
  if (span instanceof ServerSpan && span.isPlain && span.outcome) {
    writeHttpAttributes(writer, span, span.outcome);
    writeAttributes(writer, 9, span.lateAttributes);
  } else writeAttributes(writer, 9, span.attributes);
  writeCount(writer, 10, span.droppedAttributesCount);
  for (const event of span.events) writeEvent(writer, event);
  writeCount(writer, 12, span.droppedEventsCount);
  for (const link of span.links) writeLink(writer, link);
  writeCount(writer, 14, span.droppedLinksCount);
  if (status.code !== SpanStatusCode.UNSET) writeStatus(writer, status);
  writeFlags(writer, 16, TraceFlags.SAMPLED, !(parent instanceof RecordingSpan) && parent?.isRemote);
  latestSpanBytes = writer.length - start;
  writer.close(start);
}

/** The latest that `encodeShared` returned for each outcome. */
const latest = new WeakMap<Outcome, ReturnType<typeof encodeShared>>();

/** Writes what `writeAttributes` would write, in a third of the time. */
function writeHttpAttributes(writer: ProtobufWriter, { method, url }: ServerSpan, outcome: Outcome): void {
  let shared = latest.get(outcome);
  if (shared?.method !== method || !url.startsWith(shared.origin) || url[shared.origin.length] !== '/') {
    shared = encodeShared(method, url, outcome);
    latest.set(outcome, shared);
  }
  writer.encoded(shared.bytes);
  const { path, query } = targetOf(url, shared.origin.length);
  writeAttribute(writer, 9, 'url.path', path);
  if (query !== '') writeAttribute(writer, 9, 'url.query', query);
}

/** Returns what requests to one origin share if they end alike, as bytes: all attributes but the path and the query. */
function encodeShared(method: string, url: string, outcome: Outcome) {
  const { 'url.path': path, 'url.query': query, ...others } = spanAttributes(method, url, outcome);
  const writer = new ProtobufWriter();
  writeAttributes(writer, 9, others);
  return { origin: partsOf(url).origin, method, bytes: new Uint8Array(writer.message) };
}

function writeEvent(writer: ProtobufWriter, event: TimedEvent): void {
  const start = writer.open(11);
  writeTime(writer, 1, event.time[0] * 1000, event.time[1] / 1e6);
  writer.text(2, event.name);
  writeAttributes(writer, 3, event.attributes);
  writer.close(start);
}

function writeLink(writer: ProtobufWriter, { context, attributes }: Link): void {
  const start = writer.open(13);
  writeHex(writer, 1, context.traceId);
  writeHex(writer, 2, context.spanId);
  const traceState = context.traceState?.serialize();
  if (traceState) writer.text(3, traceState);
  writeAttributes(writer, 4, attributes);
  writeFlags(writer, 6, context.traceFlags, context.isRemote);
  writer.close(start);
}

function writeStatus(writer: ProtobufWriter, { message, code }: SpanStatus): void {
  const start = writer.open(15);
  if (message) writer.text(2, message);
  writer.integer(3, code);
  writer.close(start);
}

/** An id of 16 or 32 hex digits. */
function writeHex(writer: ProtobufWriter, field: number, id: string): void {
  const bits = (digit: number) => Number.parseInt(id.slice(digit, digit + 8), 16);
  if (id.length === 32) writer.id128(field, bits(0), bits(8), bits(16), bits(24));
  else writer.id64(field, bits(0), bits(8));
}

function writeCount(writer: ProtobufWriter, field: number, count: number): void {
  if (count > 0) writer.integer(field, count);
}

function writeFlags(writer: ProtobufWriter, field: number, traceFlags: number, isRemote: boolean | undefined): void {
  writer.fixed32(field, traceFlags | hasIsRemote | (isRemote ? remote : 0));
}
