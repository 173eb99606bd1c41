import protobuf from 'protobufjs/minimal';
import type { Protocol } from './protocol.ts';

/** OTLP/HTTP, traces and metrics, as protobuf or JSON (opentelemetry.io/docs/specs/otlp). */
export const otlp: Protocol = {
  requests: /^POST \/v1\/(traces|metrics)$/,
  count({ path, mediaType, body }) {
    const items = mediaType === JSON_TYPE ? countJson(body) : countProtobuf(new protobuf.Reader(body), body.length, 0);
    return path === '/v1/traces' ? items : 0;
  },
  // An empty message of either encoding.
  answer: ({ mediaType }) =>
    new Response(mediaType === JSON_TYPE ? '{}' : '', { headers: { 'content-type': mediaType } }),
};

const JSON_TYPE = 'application/json';

/**
 * The way from a request to its spans. Fields of metrics have the same numbers: resource_metrics, scope_metrics, metrics.
 */
const FIELDS = [
  { number: 1, name: 'resourceSpans' },
  { number: 2, name: 'scopeSpans' },
  { number: 2, name: 'spans' },
];

/** Reads the lengths of fields, and none of their contents but on the way to the spans. @throws Error if one is wrong. */
function countProtobuf(reader: protobuf.Reader, end: number, depth: number): number {
  const field = FIELDS[depth];
  let count = 0;
  if (!field) {
    reader.pos = end;
    return 1;
  }
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag >>> 3 !== field.number) reader.skipType(tag & 7);
    else if ((tag & 7) !== LENGTH_DELIMITED) throw new Error(`${field.name} is no message`);
    else count += countProtobuf(reader, reader.uint32() + reader.pos, depth + 1);
  }
  if (reader.pos > end) throw new Error('a field is longer than its message');
  return count;
}

/** Wire type of messages (protobuf.dev/programming-guides/encoding). */
const LENGTH_DELIMITED = 2;

/** What is parsed may take a hundred times as much memory. */
const MOST_JSON_BYTES = 4 * 1024 ** 2;

/** @throws Error if it is too large or no JSON, or has something else where a message or a list must be. */
function countJson(body: Uint8Array): number {
  if (body.length > MOST_JSON_BYTES) throw new Error(`JSON of more than ${MOST_JSON_BYTES} bytes`);
  let found: unknown[] = [JSON.parse(new TextDecoder().decode(body))];
  for (const { name } of FIELDS) found = found.flatMap((message) => listIn(message, name));
  return found.length;
}

function listIn(message: unknown, name: string): unknown[] {
  const list = (message as Record<string, unknown>)[name] ?? [];
  if (Array.isArray(message) || !Array.isArray(list)) throw new Error(`${name} is no list in a message`);
  return list;
}
