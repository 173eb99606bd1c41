import { digest, secretsIn } from '../exchange/redact.ts';
import type { PlannedRow } from '../plan/plan.ts';
import type { Result } from '../result/schema.ts';
import { variablesInFiles } from '../server/environment.ts';
import { sentIn } from '../suite/select.ts';
import { secretsInEnv } from './secrets-in-env.ts';

/** The fields of a result that hold words of programs, which may repeat what they were sent. */
const FIELDS_WITH_WORDS = ['detail', 'fault', 'notes', 'stoppedBy'];

/**
 * Returns what copies a result, with digests in place of what a program has repeated and is secret:
 * in these rows' requests, or in the variables of their servers.
 */
export function redactorFor(rows: readonly PlannedRow[]): (result: Result) => Result {
  const sent = rows.flatMap(({ task }) => sentIn(task));
  const servers = rows.flatMap(({ baseline, scenario }) => [baseline, scenario]);
  const words = new Set([
    ...sent.flatMap(({ request }) => secretsIn(request)),
    ...secretsInEnv(process.env),
    ...servers.flatMap((server) => [
      ...secretsInEnv(server.env),
      ...secretsInEnv(variablesInFiles(server)),
    ]),
  ]);
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
