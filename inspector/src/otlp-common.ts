// What requests of all signals have in common. Field numbers are those of common.proto and resource.proto, and of the
// messages that hold a resource and a scope, which are numbered alike for spans and metrics.

import type { AttributeValue } from '@opentelemetry/api';
import type { InstrumentationScope } from '@opentelemetry/core';
import type { ProtobufWriter } from './protobuf-writer.ts';
import { resourceAttributes } from './resource.ts';

/** Begins what this resource recorded. Returns what `close` takes. */
export function beginResource(writer: ProtobufWriter): number {
  const resourceStart = writer.open(1);
  const start = writer.open(1);
  writeAttributes(writer, 1, resourceAttributes());
  writer.close(start);
  return resourceStart;
}

/** Begins what this scope recorded. Returns what `close` takes. */
export function beginScope(writer: ProtobufWriter, { name, version, schemaUrl }: InstrumentationScope): number {
  const scopeStart = writer.open(2);
  const start = writer.open(1);
  writer.text(1, String(name));
  if (version) writer.text(2, String(version));
  writer.close(start);
  if (schemaUrl) writer.text(3, String(schemaUrl));
  return scopeStart;
}

/** What an attribute may be. Bytes are a text that is UTF-8 already. */
type Value = AttributeValue | Uint8Array | null | undefined;

export function writeAttributes(writer: ProtobufWriter, field: number, attributes: Record<string, Value> = {}): void {
  for (const key in attributes) {
    if (Object.hasOwn(attributes, key)) writeAttribute(writer, field, key, attributes[key]);
  }
}

export function writeAttribute(writer: ProtobufWriter, field: number, key: string, value: Value): void {
  const start = writer.open(field, textLength(value) + key.length + 8);
  writer.text(1, key);
  writeValue(writer, 2, value);
  writer.close(start);
}

function writeValue(writer: ProtobufWriter, field: number, value: Value): void {
  const start = writer.open(field, textLength(value) + 4);
  if (typeof value === 'string') writer.text(1, value);
  else if (typeof value === 'boolean') writer.integer(2, Number(value));
  else if (typeof value === 'number' && isInt64(value)) writer.integer(3, value);
  else if (typeof value === 'number') writer.double(4, value);
  else if (Array.isArray(value)) {
    const list = writer.open(5);
    for (const item of value) writeValue(writer, 1, item);
    writer.close(list);
  } else if (value instanceof Uint8Array) {
    const text = writer.open(1, value.length);
    writer.encoded(value);
    writer.close(text);
  }
  writer.close(start);
}

function textLength(value: Value): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 0;
}

function isInt64(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

/** Writes ns since the epoch without a bigint: seconds are a multiple of 512 ns, and a double holds that factor. */
export function writeTime(writer: ProtobufWriter, field: number, epochOffsetMs: number, ms: number): void {
  const seconds = Math.trunc(epochOffsetMs / 1000);
  const factor = seconds * (1e9 / 512);
  const high = Math.floor(factor / 2 ** 23);
  const low = (factor - high * 2 ** 23) * 512 + Math.round((epochOffsetMs - seconds * 1000 + ms) * 1e6);
  writer.fixed64(field, high + Math.floor(low / 2 ** 32), low);
}
