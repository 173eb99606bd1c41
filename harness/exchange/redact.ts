import { readFileSync } from 'node:fs';
import type { Request } from './request-schema.ts';

/** A shorter word is no secret, and would be found in other words. */
const MIN_SECRET_LENGTH = 6;

/** Returns the first 64 bits of the SHA-256 of the content, in hexadecimal digits. */
export function digest(content: string | Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(content).digest('hex').slice(0, 16);
}

/**
 * Returns the request with digests in place of all that may be secret or long: its query, the
 * values of its headers, and its body. A body has the same digest whether it is in a file or not.
 */
export function redactRequest({ bodyFile, ...request }: Request): Request {
  const body = bodyFile === undefined ? request.body : readFileSync(bodyFile);
  const headers = Object.entries(request.headers).map(([name, value]) => [name, digest(value)]);
  return {
    ...request,
    path: request.path.replace(/(?<=\?).*/s, (query) => digest(query)),
    headers: Object.fromEntries(headers),
    body: body === undefined ? undefined : digest(body),
  };
}

/**
 * Returns what may be secret of a request: the values of headers and query, and the body; as a
 * whole, in parts, and quoted.
 */
export function secretsIn({ path, headers, body = '' }: Request): string[] {
  const [, query = ''] = /\?(.*)/s.exec(path) ?? [];
  const values = [query, ...new URLSearchParams(query).values(), ...Object.values(headers)];
  const parts = values.flatMap((value) => value.split(/[\s,;&="]+/));
  const plain = [...values, ...parts, body];
  // Programs print a text as JSON quotes it.
  const quoted = plain.map((each) => JSON.stringify(each).slice(1, -1));
  return [...plain, ...quoted].filter(({ length }) => length >= MIN_SECRET_LENGTH);
}
