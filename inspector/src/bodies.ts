import type { Attributes, Span } from '@opentelemetry/api';
import { cut, readText } from './body-text.ts';
import { Instrument } from './instrument.ts';
import * as transforms from './transforms.ts';

export interface BodiesOptions {
  /** How many bytes of a body's UTF-8 text are recorded. Default: 10,240. */
  limitBytes?: number;
  /** Names of headers that are recorded, of requests and of responses. Default: none. */
  headers?: string[];
  /** What is hidden before it is recorded. */
  transforms?: transforms.TransformRule[];
}

/** Larger bodies are not looked into. They are dropped if a rule needs the whole body. */
const transformLimitBytes = 1024 * 1024;

/** Records bodies and headers on SERVER spans. It is active from the start only if the option `bodies` is given. */
export class BodiesInstrument extends Instrument {
  private readonly limitBytes: number;
  private readonly headers: readonly string[];
  private readonly rules: readonly transforms.Rule[];
  /** Spans that wait for their bodies, with what ends the waiting. */
  private readonly unfinished = new Map<Promise<void>, AbortController>();

  /** @throws if `limitBytes`, the name of a header or a transform rule is wrong, with the reason */
  constructor(options: BodiesOptions | undefined) {
    super(options !== undefined);
    const { limitBytes = 10_240, headers = [], transforms: rules = [], ...others } = options ?? {};
    for (const name in others) throw new Error(`bodies has no option ${name}`);
    if (!Number.isSafeInteger(limitBytes) || limitBytes < 0)
      throw new Error(`limitBytes must be a whole number, 0 or more, but is ${limitBytes}`);
    for (const name of headers) new Headers().has(name); // It throws here, and not in each request.
    this.limitBytes = limitBytes;
    this.headers = headers.map((name) => name.toLowerCase());
    this.rules = rules.map(transforms.compileRule);
  }

  /**
   * Begins to record `request`. Call what it returns with the response, if there is one: the span then ends as soon as both
   * bodies are complete, but its time is that of the call.
   */
  record(request: Request, span: Span): (response: Response | undefined) => void {
    const stop = new AbortController();
    const read = (direction: transforms.Direction, message: Request | Response) =>
      // If somebody reads the body already, or it is no message at all, the server says what becomes of it.
      this.read(direction, request, message, stop.signal).catch(() => ({}));
    const parts: Promise<Attributes>[] = [read('request', request)];
    return (response) => {
      const endMs = performance.now();
      if (response) parts.push(read('response', response));
      // The source of a stream only ends when both of its readers have cancelled. So this one does when the client goes.
      if (request.signal.aborted) stop.abort();
      request.signal.addEventListener('abort', () => stop.abort(), { once: true });
      const ended = Promise.all(parts).then((attributes) => {
        span.setAttributes(Object.assign({}, ...attributes)).end(endMs);
        this.unfinished.delete(ended);
      });
      this.unfinished.set(ended, stop);
    };
  }

  /** Resolves when the spans that wait now have ended. After `patienceMs`, they record what has come so far. */
  async flush(patienceMs: number): Promise<void> {
    const waiting = [...this.unfinished];
    const timer = setTimeout(() => {
      for (const [, stop] of waiting) stop.abort();
    }, patienceMs);
    await Promise.all(waiting.map(([ended]) => ended));
    clearTimeout(timer);
  }

  private async read(
    direction: transforms.Direction,
    request: Request,
    message: Request | Response,
    stop: AbortSignal,
  ) {
    const rules = transforms.selectRules(this.rules, direction, request);
    // A clone's headers are read, and not the original's: once Bun has shown them, it sends them in another way.
    const copy = message.clone() as Request | Response;
    const attributes: Attributes = {};
    for (const name of this.headers) {
      const values = name === 'set-cookie' ? copy.headers.getSetCookie() : [copy.headers.get(name) ?? []].flat();
      const recorded = values.flatMap((value) => transforms.transformHeader(rules, name, value) ?? []);
      if (recorded.length > 0) attributes[`http.${direction}.header.${name}`] = recorded;
    }
    if (!copy.body) return attributes;
    const bodyRules = rules.filter(({ header }) => header === undefined);
    const maxBytes = bodyRules.length > 0 ? transformLimitBytes : this.limitBytes;
    const { text, isWhole, size } = await readText(copy, maxBytes, stop);
    const left = text && transforms.transformBody(bodyRules, text, isWhole);
    const content = left && cut(left, this.limitBytes);
    const prefix = `http.${direction}.body`;
    attributes[`${prefix}.content`] = content;
    attributes[`${prefix}.size`] = size;
    if (text === undefined) attributes[`${prefix}.binary`] = true;
    else if (content === undefined) attributes[`${prefix}.dropped`] = true;
    else if (!isWhole || content !== left) attributes[`${prefix}.truncated`] = true;
    return attributes;
  }
}
