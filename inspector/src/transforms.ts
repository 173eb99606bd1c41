// Which values of a recorded body or header are hidden, and how. Pure but for noting which rules have matched.

import { getPath } from 'hono/utils/url';
import type { JSONPathQuery, JSONValue } from 'json-p3';
import { partsOf } from './http.ts';

export interface TransformRule {
  direction: 'request' | 'response';
  /** Any method where left out. */
  method?: string;
  /** A pathname pattern as `URLPattern` takes it, such as `/api/users/:id` or `/api/*`. */
  path: string;
  /** The values to hide in a JSON body, by RFC 9535: `$.profile.ssn`, `$..cards[*].number`. */
  jsonPath?: string;
  /** Instead of `jsonPath` the name of a recorded header. With neither, the whole body is meant. */
  header?: string;
  /**
   * `redact`: `REDACTED_` and the first 12 hex digits of the value's SHA-256; `mask`: as many `*` as the value is long;
   * `replace`: a fixed string; `drop`: the whole body, or the header, isn't recorded.
   */
  action: 'redact' | 'mask' | 'replace' | 'drop';
  /** For `replace`. */
  replacement?: string;
}

/** Larger bodies aren't parsed: where a rule needs the whole value they are dropped. */
export const parseLimitBytes = 1024 * 1024;

/** How many paths are remembered with their rules; above it all are forgotten. */
const cacheLimit = 1000;

interface CompiledRule {
  readonly rule: TransformRule;
  readonly pattern: URLPattern;
  readonly query: JSONPathQuery | undefined;
  hasMatched: boolean;
}

export class Transforms {
  private readonly compiled: readonly CompiledRule[];
  private readonly selections = new Map<string, Selection>();

  /** @throws where a rule is wrong, telling which and why */
  constructor(rules: readonly TransformRule[]) {
    this.compiled = rules.map(compile);
  }

  /** The rules that have hidden nothing so far. */
  get unmatched(): TransformRule[] {
    return this.compiled.filter(({ hasMatched }) => !hasMatched).map(({ rule }) => rule);
  }

  /** The rules for what a request carries, or what its response does. */
  select(direction: TransformRule['direction'], request: Request): Selection {
    if (this.compiled.length === 0) return noRules;
    const key = `${direction} ${request.method} ${partsOf(request.url).path}`;
    return this.selections.get(key) ?? this.remember(key, this.find(direction, request));
  }

  private remember(key: string, selection: Selection): Selection {
    if (this.selections.size === cacheLimit) this.selections.clear();
    this.selections.set(key, selection);
    return selection;
  }

  private find(direction: TransformRule['direction'], request: Request): Selection {
    const paths = spellings(request);
    const applies = ({ rule, pattern }: CompiledRule) =>
      rule.direction === direction &&
      (rule.method === undefined || rule.method.toUpperCase() === request.method) &&
      paths.some((pathname) => pattern.test({ pathname }));
    return new Selection(this.compiled.filter(applies));
  }
}

/** What is left of a body, or undefined where it must not be recorded. */
interface Transformed {
  readonly text: string | undefined;
  readonly isTransformed: boolean;
}

/** The rules that apply to one direction of one endpoint. */
export class Selection {
  private readonly whole: CompiledRule | undefined;
  private readonly json: readonly CompiledRule[];

  constructor(private readonly rules: readonly CompiledRule[]) {
    const bodyRules = rules.filter(({ rule }) => rule.header === undefined);
    this.whole = bodyRules.find(({ query }) => query === undefined);
    this.json = bodyRules.filter(({ query }) => query !== undefined);
  }

  /** True where a part of the body isn't enough to tell what is to be hidden. */
  get needsWholeBody(): boolean {
    return this.json.length > 0 || this.whole !== undefined;
  }

  /** Fails closed: where the values to hide can't be found for certain, nothing of the body is recorded. */
  body(text: string, isWhole: boolean): Transformed {
    if (!this.needsWholeBody || text === '') return { text, isTransformed: false };
    if (!isWhole) return { text: undefined, isTransformed: true };
    if (this.whole !== undefined) return { text: hide(this.whole, text), isTransformed: true };
    try {
      return this.rewrite(text);
    } catch {
      return { text: undefined, isTransformed: true };
    }
  }

  header(name: string, value: string): string | undefined {
    const found = this.rules.find(({ rule }) => rule.header?.toLowerCase() === name);
    return found === undefined ? value : hide(found, value);
  }

  /**
   * Every rule sees the values as they came: what one hides can't keep another from matching. Written anew even where
   * none has matched: of members with the same name a rule sees the last one only, and the text would show them all.
   */
  private rewrite(text: string): Transformed {
    const holder: JSONValue = { root: JSON.parse(text) };
    const edits = this.json.flatMap((compiled) => editsOf(compiled, holder.root));
    if (edits.some(({ value }) => value === undefined)) return { text: undefined, isTransformed: true };
    // What is deeper comes first, so that no value is set inside one that is hidden already.
    edits.sort((a, b) => b.location.length - a.location.length);
    for (const { location, value } of edits) setAt(holder, location, value);
    return { text: JSON.stringify(holder.root), isTransformed: edits.length > 0 };
  }
}

const noRules = new Selection([]);

interface Edit {
  readonly location: readonly (string | number)[];
  readonly value: string | undefined;
}

function editsOf(compiled: CompiledRule, root: JSONValue): Edit[] {
  const nodes = compiled.query?.query(root).nodes ?? [];
  return nodes.map(({ value, location }) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return { location: ['root', ...location], value: hide(compiled, text) };
  });
}

function setAt(holder: JSONValue, location: readonly (string | number)[], value: JSONValue): void {
  // biome-ignore lint/suspicious/noExplicitAny: objects and arrays alike, as the location has found them
  const parent = location.slice(0, -1).reduce((node: any, key) => node[key], holder);
  parent[location.at(-1) as string | number] = value;
}

/** What is recorded instead of `value`; undefined for nothing at all. */
function hide(compiled: CompiledRule, value: string): string | undefined {
  compiled.hasMatched = true;
  const { action, replacement } = compiled.rule;
  if (action === 'redact') return `REDACTED_${Bun.CryptoHasher.hash('sha256', value, 'hex').slice(0, 12)}`;
  if (action === 'mask') return '*'.repeat(value.length);
  return action === 'replace' ? replacement : undefined;
}

function compile(rule: TransformRule): CompiledRule {
  const problem = problemOf(rule);
  if (problem !== undefined) throw wrong(rule, problem);
  try {
    const pattern = new URLPattern({ pathname: rule.path });
    const query = rule.jsonPath === undefined ? undefined : compileQuery(rule.jsonPath);
    return { rule, pattern, query, hasMatched: false };
  } catch (error) {
    throw wrong(rule, (error as Error).message);
  }
}

function problemOf({ direction, path, jsonPath, header, action, replacement }: TransformRule) {
  if (direction !== 'request' && direction !== 'response') return 'direction is request or response';
  if (!path?.startsWith('/')) return 'path must begin with /';
  if (!['redact', 'mask', 'replace', 'drop'].includes(action)) return `unknown action ${action}`;
  if (jsonPath !== undefined && header !== undefined) return 'either jsonPath or header, not both';
  if (action === 'mask' && jsonPath === undefined && header === undefined) {
    return 'mask is for values, not for a whole body';
  }
  if ((action === 'replace') !== (replacement !== undefined))
    return 'replace, and only it, has a replacement';
  return undefined;
}

function wrong(rule: TransformRule, problem: string): Error {
  return new Error(`Wrong transform rule (${describeRule(rule)}): ${problem.replaceAll('\n', ' ')}`);
}

export function describeRule({ direction, method, path, jsonPath, header, action }: TransformRule): string {
  return [direction, method, path, jsonPath ?? header, action].filter(Boolean).join(' ');
}

/** json-p3 is loaded when a rule needs it: what is loaded makes every request dearer, as `sdk.ts` has it. */
function compileQuery(jsonPath: string): JSONPathQuery {
  const jsonP3: typeof import('json-p3') = require('json-p3');
  return jsonP3.compile(jsonPath);
}

/** The path as it was sent, as Hono decodes it to find a route, and each without a last slash, which Hono can ignore. */
function spellings(request: Request): string[] {
  const paths = [partsOf(request.url).path, getPath(request)];
  return [...paths, ...paths.map((path) => path.replace(/(?<=.)\/$/, ''))];
}
