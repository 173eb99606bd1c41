import { decode } from '@msgpack/msgpack';
import type { Protocol } from './intake.ts';

/** Counts spans at the endpoint of a Datadog agent: lists of spans in MessagePack, one for each trace. */
export const datadog: Protocol<number> = {
  requests: /^(PUT|POST) \/v0\.4\/traces$/,
  read: ({ body }) => (decode(body) as unknown[][]).reduce((sum, trace) => sum + trace.length, 0),
};
