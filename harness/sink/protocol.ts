/** What one request brought, unpacked. */
export interface Payload {
  path: string;
  /** Without parameters: `application/json`. */
  mediaType: string;
  body: Uint8Array;
}

/** One way in which tracers send their spans: an entry in the list of span-counter.ts. */
export interface Protocol {
  /** Matches method and path of its requests: `POST /v1/traces`. */
  requests: RegExp;
  /** How many spans the payload holds. It looks at no more than it must. @throws Error if it can't be read. */
  count(payload: Payload): number;
  /** What tells the sender that all was taken. */
  answer(payload: Payload): Response;
}
