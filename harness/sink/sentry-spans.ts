import type { Json, Protocol } from './intake.ts';

/** Counts spans in envelopes of Sentry's SDKs (develop.sentry.dev/sdk/data-model/envelopes). */
export const sentry: Protocol<number> = {
  requests: /^POST \/api\/\d+\/envelope\/$/,
  read: ({ body }) =>
    itemsOf(body).reduce((sum, { header, payload }) => {
      if (header.type === 'span') return sum + header.item_count;
      // A transaction is a span itself.
      return header.type === 'transaction' ? sum + 1 + (payload().spans?.length ?? 0) : sum;
    }, 0),
};

/**
 * What an envelope holds: after a line about all of it, each item has a line with its type, and its payload, which is as long
 * as that line says, or a line too. @throws Error if it is no envelope.
 */
export function itemsOf(body: Uint8Array): { header: Json; payload: () => Json }[] {
  const items = [];
  const lineFrom = (start: number) => (body.indexOf(NEWLINE, start) + 1 || body.length + 1) - 1;
  const json = (start: number, end: number): Json => JSON.parse(new TextDecoder().decode(body.subarray(start, end)));
  for (let at = lineFrom(0) + 1; at < body.length; ) {
    const start = lineFrom(at) + 1;
    const header = json(at, start);
    const end = header.length === undefined ? lineFrom(start) : start + header.length;
    items.push({ header, payload: () => json(start, end) });
    at = end + 1;
  }
  return items;
}

const NEWLINE = 10;
