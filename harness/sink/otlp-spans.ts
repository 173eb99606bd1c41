import protobuf from 'protobufjs/minimal';
import type { Json, Protocol } from './intake.ts';

/** Counts spans in OTLP/HTTP, traces and metrics, as protobuf or JSON (opentelemetry.io/docs/specs/otlp). */
export const otlp: Protocol<number> = {
  requests: /^POST \/v1\/(traces|metrics)$/,
  read({ path, mediaType, body }) {
    const count =
      mediaType === 'application/json'
        ? itemsIn(JSON.parse(new TextDecoder().decode(body)), TO_SPANS).length
        : countProtobuf(new protobuf.Reader(body), body.length, 0);
    return path === '/v1/traces' ? count : 0;
  },
};

/** The way from a request to its spans, and the numbers of these fields; those of metrics have the same. */
export const TO_SPANS = ['resourceSpans', 'scopeSpans', 'spans'];
const FIELD_NUMBERS = [1, 2, 2];

/** Reads the lengths of fields, and none of their contents but on the way to the spans. @throws Error if one is wrong. */
function countProtobuf(reader: protobuf.Reader, end: number, depth: number): number {
  let count = 0;
  if (depth === TO_SPANS.length) {
    reader.pos = end;
    return 1;
  }
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag >>> 3 !== FIELD_NUMBERS[depth]) reader.skipType(tag & 7);
    else if ((tag & 7) !== LENGTH_DELIMITED) throw new Error(`${TO_SPANS[depth]} is no message`);
    else count += countProtobuf(reader, reader.uint32() + reader.pos, depth + 1);
  }
  if (reader.pos > end) throw new Error('a field is longer than its message');
  return count;
}

/** Wire type of messages (protobuf.dev/programming-guides/encoding). */
const LENGTH_DELIMITED = 2;

/** What lies at the end of this way through lists of messages. @throws Error as `listIn` does. */
export function itemsIn(message: Json, way: string[]): Json[] {
  return way.reduce((found, name) => found.flatMap((each) => listIn(each, name)), [message]);
}

/** A list that may be left out. @throws Error if something else is there, or is where the message should be. */
export function listIn(message: Json, name: string): Json[] {
  const list = message[name] ?? [];
  if (Array.isArray(message) || !Array.isArray(list)) throw new Error(`${name} is no list in a message`);
  return list;
}
