import { digest, secretsIn } from '../exchange/redact.ts';
import type { PlannedRow } from '../plan/plan.ts';
import type { Result } from '../result/schema.ts';
import { sentIn } from '../suite/select.ts';

/** The fields of a result that hold words of programs, which may repeat what they were sent. */
const FIELDS_WITH_WORDS = ['detail', 'fault', 'notes', 'stoppedBy'];

/**
 * Returns what copies a result, with digests in place of the secrets of these rows' requests that a
 * program has repeated.
 */
export function redactorFor(rows: readonly PlannedRow[]): (result: Result) => Result {
  const sent = rows.flatMap(({ task }) => sentIn(task));
  const words = new Set(sent.flatMap(({ request }) => secretsIn(request)));
  const longestFirst = [...words].sort((one, two) => two.length - one.length);
  // A pattern that matches nothing stands for no secrets.
  const pattern = longestFirst.map((word) => RegExp.escape(word)).join('|') || '(?!)';
  const secrets = new RegExp(pattern, 'g');
  const redactField = (name: string, value: unknown) =>
    FIELDS_WITH_WORDS.includes(name) ? redactWords(value, secrets) : value;
  return (result) => JSON.parse(JSON.stringify(result, redactField));
}

function redactWords(value: unknown, secrets: RegExp): unknown {
  if (Array.isArray(value)) return value.map((each) => redactWords(each, secrets));
  return typeof value === 'string' ? value.replace(secrets, digest) : value;
}
