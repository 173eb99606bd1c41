import type { PlannedRow } from './plan.ts';
import type { Request } from './suite/suite-schema.ts';

/** A shorter word is no secret, and would be found in others. */
const MIN_LETTERS = 6;
/** Where a result has words of programs. */
const TOLD = ['detail', 'fault', 'notes', 'stoppedBy'];

/** Returns what copies a part of a result, with digests for what is secret of these requests and a program has repeated. */
export function concealing(rows: readonly PlannedRow[]) {
  const sent = rows.flatMap(({ task }) => [...task.exchanges, ...task.warmUp]);
  const words = new Set(sent.flatMap(({ request }) => secretsOf(request)));
  const longestFirst = [...words].sort((one, two) => two.length - one.length).map((word) => RegExp.escape(word));
  const pattern = new RegExp(longestFirst.join('|') || '(?!)', 'g');
  const told = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(told) : typeof value === 'string' ? value.replace(pattern, digest) : value;
  return <T>(part: T): T =>
    JSON.parse(JSON.stringify(part, (name, value) => (TOLD.includes(name) ? told(value) : value)));
}

/** Values of headers and query, and bodies: as a whole, in parts, and as programs quote them. */
function secretsOf({ path, headers, body = '' }: Request): string[] {
  const [, query = ''] = /\?(.*)/s.exec(path) ?? [];
  const values = [query, ...new URLSearchParams(query).values(), ...Object.values(headers)];
  const all = [...values, ...values.flatMap((value) => value.split(/[\s,;&="]+/)), body];
  return all.flatMap((each) => [each, JSON.stringify(each).slice(1, -1)]).filter(({ length }) => length >= MIN_LETTERS);
}

/** The first 64 bits of SHA-256. */
export function digest(content: string | Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(content).digest('hex').slice(0, 16);
}
