import { decode } from '@msgpack/msgpack';
import type { Protocol } from './protocol.ts';

/** The endpoint of a Datadog agent: lists of spans in MessagePack, one for each trace. */
export const datadog: Protocol = {
  requests: /^(PUT|POST) \/v0\.4\/traces$/,
  count: ({ body }) => (decode(body) as unknown[][]).reduce((sum, trace) => sum + trace.length, 0),
  answer: () => Response.json({}),
};
