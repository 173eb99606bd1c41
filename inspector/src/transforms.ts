// Decides which values of a recorded body or header are hidden, and how.

import { getPath } from 'hono/utils/url';
import type { JSONValue } from 'json-p3';
import { partsOf } from './http.ts';

export type Direction = 'request' | 'response';

export interface TransformRule {
  direction: Direction;
  /** Default: any method. A rule for GET is one for HEAD, too, since Hono answers both by the same handler. */
  method?: string;
  /** A pathname pattern of `URLPattern`, such as `/api/users/:id` or `/api/*`. */
  path: string;
  /** Hides these values of a JSON body. It is an RFC 9535 query, such as `$.profile.ssn` or `$..cards[*].number`. */
  jsonPath?: string;
  /** Hides this recorded header. A rule with neither `jsonPath` nor `header` is for the whole body. */
  header?: string;
  /**
   * - `redact`: records `REDACTED_` and the first 12 hex digits of the value's SHA-256
   * - `mask`: records one `*` for each character of the value
   * - `replace`: records `replacement`
   * - `drop`: records nothing of the body, or of the header
   */
  action: 'redact' | 'mask' | 'replace' | 'drop';
  /** For `replace` only. */
  replacement?: string;
}

/** Larger bodies are not parsed. They are dropped if a rule needs the whole body. */
export const parseLimitBytes = 1024 * 1024;

/** How many selections are kept. Then all are forgotten. */
const cacheLimit = 1000;

type CompiledRule = ReturnType<typeof compile>;

export class Transforms {
  private readonly compiled: readonly CompiledRule[];
  private readonly selections = new Map<string, Selection>();

  /** @throws if a rule is wrong, with the rule and the reason */
  constructor(rules: readonly TransformRule[]) {
    this.compiled = rules.map(compile);
  }

  /** The rules that have hidden nothing so far. */
  get unmatched(): TransformRule[] {
    return this.compiled.filter(({ hasMatched }) => !hasMatched).map(({ rule }) => rule);
  }

  /** Returns the rules for `request`, or for the response to it. */
  select(direction: Direction, request: Request): Selection {
    if (this.compiled.length === 0) return noRules;
    const { path } = partsOf(request.url);
    const key = `${direction} ${request.method} ${path}`;
    return this.selections.get(key) ?? this.add(key, direction, request, path);
  }

  private add(key: string, direction: Direction, request: Request, path: string): Selection {
    // As it was sent and as Hono decodes it, both also without a last slash, which Hono can ignore.
    const paths = [path, getPath(request)].flatMap((each) => [each, each.replace(/(?<=.)\/$/, '')]);
    const methods = request.method === 'HEAD' ? ['HEAD', 'GET'] : [request.method];
    const applies = ({ rule, pattern }: CompiledRule) =>
      rule.direction === direction &&
      (rule.method === undefined || methods.includes(rule.method.toUpperCase())) &&
      paths.some((pathname) => pattern.test({ pathname }));
    const selection = new Selection(this.compiled.filter(applies));
    if (this.selections.size === cacheLimit) this.selections.clear();
    this.selections.set(key, selection);
    return selection;
  }
}

/** What rules leave of a body, if anything, and whether they hid or dropped a part. Another spelling is no change. */
type Transformed = { text: string | undefined; isChanged: boolean };

const dropped: Transformed = { text: undefined, isChanged: true };

/** The rules that apply to one direction of one path. */
export class Selection {
  /** True if a part of the body is not enough to find what must be hidden. */
  readonly needsWholeBody: boolean;
  private readonly whole: CompiledRule | undefined;

  constructor(private readonly rules: readonly CompiledRule[]) {
    const bodyRules = rules.filter(({ rule }) => rule.header === undefined);
    this.needsWholeBody = bodyRules.length > 0;
    this.whole = bodyRules.find(({ query }) => query === undefined);
  }

  /** Returns what to record of a body that needs a rule: nothing if the values to hide cannot be found for certain. */
  body(text: string, isWhole: boolean): Transformed {
    if (text === '') return { text, isChanged: false };
    if (!isWhole) return dropped;
    if (this.whole !== undefined) return { text: hide(this.whole, text), isChanged: true };
    try {
      return this.rewrite(text);
    } catch {
      return dropped;
    }
  }

  /** Returns the value to record, or undefined if the header must not be recorded. */
  header(name: string, value: string): string | undefined {
    const found = this.rules.find(({ rule }) => rule.header?.toLowerCase() === name);
    return found === undefined ? value : hide(found, value);
  }

  private rewrite(text: string): Transformed {
    const holder: JSONValue = { root: JSON.parse(text) };
    // All rules see the original values. Otherwise one rule could hide what another looks for.
    const edits = this.rules.flatMap((compiled) => editsOf(compiled, holder.root));
    if (edits.some(({ value }) => value === undefined)) return dropped;
    // The deepest first, so that no value is set inside one that is already hidden.
    edits.sort((a, b) => b.location.length - a.location.length);
    for (const { location, value } of edits) setAt(holder, location, value);
    // Not `text` itself: of members with the same name it holds all, but the rules only saw the last.
    return { text: JSON.stringify(holder.root), isChanged: edits.length > 0 };
  }
}

export const noRules = new Selection([]);

/** Returns where the rule's values are in `root`, and what to record instead of each. */
function editsOf(compiled: CompiledRule, root: JSONValue) {
  const nodes = compiled.query?.query(root).nodes ?? [];
  return nodes.map(({ value, location }) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return { location: ['root', ...location], value: hide(compiled, text) };
  });
}

function setAt(holder: JSONValue, location: readonly (string | number)[], value: JSONValue): void {
  // biome-ignore lint/suspicious/noExplicitAny: an object or an array, as the query has found it
  const parent = location.slice(0, -1).reduce((node: any, key) => node[key], holder);
  parent[location.at(-1) as string | number] = value;
}

/** Returns what to record instead of `value`, or undefined for nothing. */
function hide(compiled: CompiledRule, value: string): string | undefined {
  compiled.hasMatched = true;
  const { action, replacement } = compiled.rule;
  if (action === 'redact') return `REDACTED_${Bun.CryptoHasher.hash('sha256', value, 'hex').slice(0, 12)}`;
  if (action === 'mask') return '*'.repeat(value.length);
  return action === 'replace' ? replacement : undefined;
}

function compile(rule: TransformRule) {
  try {
    const problem = problemOf(rule);
    if (problem !== undefined) throw new Error(problem);
    const pattern = new URLPattern({ pathname: rule.path });
    const query = rule.jsonPath === undefined ? undefined : compileQuery(rule.jsonPath);
    return { rule, pattern, query, hasMatched: false };
  } catch (error) {
    const reason = (error as Error).message.replaceAll('\n', ' ');
    throw new Error(`Wrong transform rule (${describeRule(rule)}): ${reason}`);
  }
}

function problemOf({ direction, path, jsonPath, header, action, replacement }: TransformRule) {
  const isWholeBody = jsonPath === undefined && header === undefined;
  if (direction !== 'request' && direction !== 'response') return 'direction must be request or response';
  if (!path?.startsWith('/')) return 'path must begin with /';
  if (!['redact', 'mask', 'replace', 'drop'].includes(action)) return `unknown action ${action}`;
  if (jsonPath !== undefined && header !== undefined) return 'give jsonPath or header, not both';
  if (action === 'mask' && isWholeBody) return 'mask needs a jsonPath or a header';
  if (action === 'replace' && replacement === undefined) return 'replace needs a replacement';
  if (action !== 'replace' && replacement !== undefined) return 'only replace takes a replacement';
  return undefined;
}

/** Returns the rule in one line. */
export function describeRule({ direction, method, path, jsonPath, header, action }: TransformRule): string {
  return [direction, method, path, jsonPath ?? header, action].filter(Boolean).join(' ');
}

/** Loads json-p3 only if a rule needs it, because a larger heap makes every request dearer. */
function compileQuery(jsonPath: string) {
  const jsonP3: typeof import('json-p3') = require('json-p3');
  return jsonP3.compile(jsonPath);
}
