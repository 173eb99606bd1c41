import type { Exported } from '../result/schema.ts';

/** Why requests were refused. */
export type RefusalKind =
  /** No protocol has such a request. */
  | 'unknown-path'
  /** The client ended, or gave up, while it still sent. */
  | 'broken-off'
  /** It came by HTTP of a server that is to send by gRPC. */
  | 'not-grpc'
  /** What came begins as neither HTTP nor gRPC does. */
  | 'not-http'
  /** So many different requests were refused that these are not told apart. */
  | 'other';

/** Refused requests that are alike. */
export interface RefusedRequests {
  kind: RefusalKind;
  /** Method and path: `POST /v1/other`. Empty for what is not known as a request. */
  name: string;
  /** Name and kind in words, as a result keeps them. */
  request: string;
  count: number;
}

/** More different requests than these are not told apart. */
const MAX_DIFFERENT = 10;

/** Counts one more refused request in the list. */
export function countRefusal(refused: RefusedRequests[], kind: RefusalKind, name = ''): void {
  const request = requestText(kind, name);
  const same = refused.find((each) => each.request === request);
  if (same) same.count++;
  else if (kind === 'other' || refused.length < MAX_DIFFERENT)
    refused.push({ kind, name, request, count: 1 });
  else countRefusal(refused, 'other');
}

function requestText(kind: RefusalKind, name: string): string {
  switch (kind) {
    case 'unknown-path':
      return name;
    case 'broken-off':
      return `${name}, broken off,`;
    case 'not-grpc':
      return `${name}, which is no gRPC,`;
    case 'not-http':
      return 'TLS or another protocol';
    case 'other':
      return 'other requests';
  }
}

/** Returns sentences: `17 x POST /v1/other were refused`. */
export function describeRefusals(refused: Exported['refused']): string[] {
  return refused.map(
    ({ request, count }) => `${count} x ${request} ${count === 1 ? 'was' : 'were'} refused`,
  );
}
