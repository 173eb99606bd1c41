import { getPath } from 'hono/utils/url';
import { apply, compile } from 'json-p3';
import { startAttributes } from './http.ts';

export type Direction = 'request' | 'response';

/** Hides values of a JSON body, or a header, or the whole body if it names neither. */
export interface TransformRule {
  direction: Direction;
  /**
   * Default: any. A rule for GET is one for HEAD, too, since Hono answers both by the same handler.
   */
  method?: string;
  /** A pathname pattern of `URLPattern`, such as `/api/users/:id` or `/api/*`. */
  path: string;
  /** An RFC 9535 query, such as `$.profile.ssn` or `$..cards[*].number`. */
  jsonPath?: string;
  header?: string;
  /**
   * `redact` leaves 12 hex digits of the SHA-256, `mask` a `*` for each character, and `drop`
   * nothing.
   */
  action: 'redact' | 'mask' | 'replace' | 'drop';
  replacement?: string;
}

export type Rule = ReturnType<typeof compileRule>;

/** @throws if the rule is wrong, with the rule and the reason */
export function compileRule(rule: TransformRule) {
  try {
    const problem = problemOf(rule);
    if (problem !== undefined) throw new Error(problem);
    const query = rule.jsonPath === undefined ? undefined : compile(rule.jsonPath);
    return { ...rule, pattern: new URLPattern({ pathname: rule.path }), query };
  } catch (error) {
    throw new Error(
      `Wrong transform rule ${JSON.stringify(rule)}: ${(error as Error).message.replaceAll('\n', ' ')}`,
    );
  }
}

function problemOf(rule: TransformRule) {
  const { direction, method, path, jsonPath, header, action, replacement, ...others } = rule;
  for (const name in others) return `unknown ${name}`;
  if (direction !== 'request' && direction !== 'response')
    return 'direction must be request or response';
  if (!path?.startsWith('/')) return 'path must begin with /';
  if (!['redact', 'mask', 'replace', 'drop'].includes(action)) return `unknown action ${action}`;
  if (jsonPath !== undefined && header !== undefined) return 'give jsonPath or header, not both';
  if (action === 'mask' && (jsonPath ?? header) === undefined)
    return 'mask needs a jsonPath or a header';
  if ((action === 'replace') !== (replacement !== undefined))
    return 'replacement is for replace, which needs it';
}

/** Returns the rules that apply to `request`, or to the response to it. */
export function selectRules(
  rules: readonly Rule[],
  direction: Direction,
  request: Request,
): Rule[] {
  if (rules.length === 0) return [];
  // As it was sent and as Hono decodes it, both also without a last slash, which Hono can ignore.
  const spelt = [startAttributes(request)['url.path'] as string, getPath(request)];
  const paths = [...spelt, ...spelt.map((path) => path.replace(/\/$/, ''))];
  const methods = request.method === 'HEAD' ? ['HEAD', 'GET'] : [request.method];
  return rules.filter((rule) => {
    const isForMethod = rule.method === undefined || methods.includes(rule.method.toUpperCase());
    return (
      rule.direction === direction &&
      isForMethod &&
      paths.some((pathname) => rule.pattern.test({ pathname }))
    );
  });
}

/** Returns what to record of a header: nothing if it is dropped. */
export function transformHeader(
  rules: readonly Rule[],
  name: string,
  value: string,
): string | undefined {
  const rule = rules.find(({ header }) => header?.toLowerCase() === name);
  return rule === undefined ? value : hide(rule, value);
}

/** Returns what to record of a body: nothing if the values to hide cannot be found for certain. */
export function transformBody(
  rules: readonly Rule[],
  text: string,
  isWhole: boolean,
): string | undefined {
  if (rules.length === 0) return text;
  if (!isWhole) return undefined;
  const whole = rules.find(({ query }) => query === undefined);
  if (whole) return hide(whole, text);
  try {
    const root = JSON.parse(text);
    // All rules see the original values. Otherwise one rule could hide what another looks for.
    const edits = rules.flatMap((rule) =>
      (rule.query?.query(root).nodes ?? []).map((node) => {
        const found = typeof node.value === 'string' ? node.value : JSON.stringify(node.value);
        return { op: 'replace', path: node.toPointer().toString(), value: hide(rule, found) };
      }),
    );
    // What lies within another value is longer, and comes first.
    edits.sort((a, b) => b.path.length - a.path.length);
    // Not the text itself: of members with the same name it holds all, but the rules only saw the
    // last.
    return edits.some(({ value }) => value === undefined)
      ? undefined
      : JSON.stringify(apply(edits as never, root));
  } catch {
    return undefined;
  }
}

function hide({ action, replacement }: TransformRule, value: string): string | undefined {
  if (action === 'redact')
    return `REDACTED_${Bun.CryptoHasher.hash('sha256', value, 'hex').slice(0, 12)}`;
  if (action === 'mask') return '*'.repeat(value.length);
  return replacement;
}
