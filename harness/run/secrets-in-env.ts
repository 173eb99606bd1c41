import { isLongEnough, partsOf } from '../exchange/redact.ts';
import { orUndefined } from '../words/errors.ts';

/** Names of variables that hold what is secret, by the words that they have in them. */
const SECRET_NAME =
  /key|token|secret|pass|_pwd$|credential|dsn|auth(?!or)|headers|connection_?string/i;
/** As in `postgres://user:password@host`: up to the last @ before the path. */
const PASSWORD_IN_URL = /:\/\/[^/@:\s]*:([^/?\s]+)@/g;

/**
 * Returns what is secret in variables: values of such names, whole and in parts, and passwords in
 * URLs.
 */
export function secretsInEnv(env: Readonly<Record<string, string | undefined>>): string[] {
  const words = Object.entries(env).flatMap(([name, value = '']) => [
    ...(SECRET_NAME.test(name) ? [value, ...partsOf(value)] : []),
    ...[...value.matchAll(PASSWORD_IN_URL)].flatMap(([, password = '']) => [
      password,
      ...decoded(password),
    ]),
  ]);
  return [...new Set(words)].filter(isLongEnough);
}

/** A driver may tell it without the escapes of a URL. */
function decoded(password: string): string[] {
  const text = orUndefined(() => decodeURIComponent(password));
  return text === undefined ? [] : [text];
}
