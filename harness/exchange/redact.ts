import { orUndefined } from '../words/errors.ts';
import { bodyOf } from './request-body.ts';
import type { Request } from './request-schema.ts';

const MIN_SECRET_LENGTH = 6;
/**
 * Secrets of a body have so many characters together: no pattern can hold those of a large file.
 */
const MAX_SECRETS_LENGTH = 64 * 1024;

/** Returns the first 64 bits of the SHA-256 of the content, in hexadecimal digits. */
export function digest(content: string | Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(content).digest('hex').slice(0, 16);
}

/**
 * Returns the request with digests in place of all that may be secret or long: its query, the
 * values of its headers, and its body. A body has the same digest whether it is in a file or not.
 */
export function redactRequest({ bodyFile, ...request }: Request): Request {
  const body = bodyOf({ ...request, bodyFile });
  const headers = Object.entries(request.headers).map(([name, value]) => [name, digest(value)]);
  return {
    ...request,
    path: request.path.replace(/(?<=\?).*/s, (query) => digest(query)),
    headers: Object.fromEntries(headers),
    body: body === undefined ? undefined : digest(body),
  };
}

/**
 * Returns what may be secret of a request: the values of headers and query, and the body, which may
 * be in a file; as a whole, in parts, and quoted.
 */
export function secretsIn(request: Request): string[] {
  const { path, headers } = request;
  const [, query = ''] = /\?(.*)/s.exec(path) ?? [];
  const values = [query, ...new URLSearchParams(query).values(), ...Object.values(headers)];
  const parts = values.flatMap(partsOf);
  const plain = [...values, ...parts, ...secretsInBody(request)];
  // Programs print a text as JSON quotes it.
  const quoted = plain.map((each) => JSON.stringify(each).slice(1, -1));
  return [...plain, ...quoted].filter(isLongEnough);
}

/** Returns the parts of a value, of which a program may repeat one alone. */
export function partsOf(value: string): string[] {
  return value.split(/[\s,;&="]+/);
}

/** Whether a word may be a secret: a shorter one would be found in other words. */
export function isLongEnough({ length }: string): boolean {
  return length >= MIN_SECRET_LENGTH;
}

/**
 * Returns what programs repeat of a body: a value that they read in it, a line, or the whole. Of a
 * large body, it is what comes first.
 */
function secretsInBody(request: Request): string[] {
  const body = String(bodyOf(request) ?? '').trim();
  const lines = body.split('\n').map((line) => line.trim());
  const values = jsonValuesIn(body) ?? [...new URLSearchParams(body).values()];
  let lengthLeft = MAX_SECRETS_LENGTH;
  return [...new Set([...values, ...lines, body])].filter(({ length }) => {
    if (length < MIN_SECRET_LENGTH || length > lengthLeft) return false;
    lengthLeft -= length;
    return true;
  });
}

/** Returns the texts and numbers in JSON; undefined if it is something else. */
function jsonValuesIn(body: string): string[] | undefined {
  const values: string[] = [];
  const keepValue = (_: string, value: unknown) => {
    if (typeof value === 'string' || typeof value === 'number') values.push(String(value));
    return value;
  };
  return orUndefined(() => {
    JSON.parse(body, keepValue);
    return values;
  });
}
