import type { Attributes, Span } from '@opentelemetry/api';
import { cut, readText } from './body-text.ts';
import { Instrument } from './instrument.ts';
import {
  compileRule,
  type Direction,
  type Rule,
  selectRules,
  type TransformRule,
  transformBody,
  transformHeader,
} from './transforms.ts';

export interface BodiesOptions {
  /** How many bytes of a body's UTF-8 text are recorded. Default: 10,240. */
  limitBytes?: number;
  /** Names of headers that are recorded, of requests and of responses. Default: none. */
  headers?: string[];
  /** What is hidden before it is recorded. */
  transforms?: TransformRule[];
}

/** Larger bodies are not looked into. They are dropped if a rule needs the whole body. */
const transformLimitBytes = 1024 * 1024;

/** Records bodies and headers on SERVER spans. It is active from the start only if the option `bodies` is given. */
export class BodiesInstrument extends Instrument {
  private readonly limitBytes: number;
  private readonly headers: readonly string[];
  private readonly rules: readonly Rule[];
  /** Spans that wait for their bodies. */
  private readonly unfinished = new Set<{ ended: Promise<void>; stop: AbortController }>();

  /** @throws if `limitBytes`, the name of a header or a transform rule is wrong, with the reason */
  constructor(options: BodiesOptions | undefined) {
    super(options !== undefined);
    const { limitBytes = 10_240, headers = [], transforms = [], ...others } = options ?? {};
    for (const name in others) throw new Error(`bodies has no option ${name}`);
    if (!Number.isSafeInteger(limitBytes) || limitBytes < 0)
      throw new Error(`limitBytes must be a whole number, 0 or more, but is ${limitBytes}`);
    for (const name of headers) new Headers().has(name); // It throws here, and not in each request.
    this.limitBytes = limitBytes;
    this.headers = headers.map((name) => name.toLowerCase());
    this.rules = transforms.map(compileRule);
  }

  /**
   * Begins to record `request`. Call what it returns with the response, if there is one: the span then ends as soon as both
   * bodies are complete, but its time is that of the call.
   */
  record(request: Request, span: Span): (response: Response | undefined) => void {
    const stop = new AbortController();
    const parts = [this.read('request', request, request, stop.signal)];
    return (response) => {
      const endMs = performance.now();
      if (response) parts.push(this.read('response', request, response, stop.signal));
      // The source of a stream only ends when both of its readers have cancelled. So this one does when the client goes.
      if (request.signal.aborted) stop.abort();
      request.signal.addEventListener('abort', () => stop.abort(), { once: true });
      const ended = Promise.all(parts).then((attributes) => {
        for (const each of attributes) span.setAttributes(each);
        span.end(endMs);
        this.unfinished.delete(waiting);
      });
      const waiting = { ended, stop };
      this.unfinished.add(waiting);
    };
  }

  /** Resolves when the spans that wait now have ended. After `patienceMs`, they record what has come so far. */
  async flush(patienceMs: number): Promise<void> {
    const waiting = [...this.unfinished];
    const timer = setTimeout(() => {
      for (const { stop } of waiting) stop.abort();
    }, patienceMs);
    await Promise.all(waiting.map(({ ended }) => ended));
    clearTimeout(timer);
  }

  private async read(direction: Direction, request: Request, message: Request | Response, stop: AbortSignal) {
    const rules = selectRules(this.rules, direction, request);
    let copy: Request | Response;
    try {
      // A clone's headers are read, and not the original's: once Bun has shown them, it sends them in another way.
      copy = message.clone() as Request | Response;
    } catch {
      return {}; // Somebody reads the body already, or it is no message at all. The server says what becomes of it.
    }
    const { headers, body } = copy;
    return {
      ...this.headersOf(direction, headers, rules),
      ...(body && (await this.bodyOf(direction, headers, body, rules, stop))),
    };
  }

  private async bodyOf(direction: Direction, headers: Headers, body: ReadableStream, rules: Rule[], stop: AbortSignal) {
    const bodyRules = rules.filter(({ isForBody }) => isForBody);
    const isTransformed = bodyRules.length > 0;
    const maxBytes = isTransformed ? transformLimitBytes : this.limitBytes;
    const { text, isWhole, size } = await readText(body, headers, maxBytes, stop);
    const isBinary = text === undefined;
    const left = isBinary || !isTransformed ? text : isWhole ? transformBody(bodyRules, text) : undefined;
    const content = left && cut(left, this.limitBytes);
    const name = `http.${direction}.body`;
    return {
      [`${name}.content`]: content,
      [`${name}.size`]: size,
      [`${name}.truncated`]: content !== undefined && (!isWhole || content !== left) ? true : undefined,
      [`${name}.binary`]: isBinary || undefined,
      [`${name}.dropped`]: (!isBinary && content === undefined) || undefined,
    };
  }

  private headersOf(direction: Direction, headers: Headers, rules: Rule[]): Attributes {
    const attributes: Attributes = {};
    for (const name of this.headers) {
      const values = name === 'set-cookie' ? headers.getSetCookie() : [headers.get(name)];
      const recorded = values.flatMap((value) => (value === null ? [] : (transformHeader(rules, name, value) ?? [])));
      if (recorded.length > 0) attributes[`http.${direction}.header.${name}`] = recorded;
    }
    return attributes;
  }
}
