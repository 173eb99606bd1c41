import { estimateShallowMemoryUsageOf } from 'bun:jsc';
import type { Attributes, Span } from '@opentelemetry/api';
import type { Context } from 'hono';
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

/** Without a body, nobody has read it, and its size is what the headers say. */
type Message = { headers: Headers; body?: ReadableStream | null | undefined };

/** What was read of a body. */
interface BodyRead {
  /** Undefined if it is binary. */
  text: string | undefined;
  /** Whether it was read to its end. */
  isWhole: boolean;
  /** Of what was read, in bytes. */
  size: number;
}

/** Larger bodies are not looked into. They are dropped if a rule needs the whole body. */
const transformLimitBytes = 1024 * 1024;

/**
 * The bytes that the WHATWG's MIME Sniffing calls binary, and the character that replaces bytes
 * that are not UTF-8.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they tell binary data
const binaryCharacter = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f\ufffd]/;

/** How long a flush waits for bodies that are streamed. */
const patienceMs = 200;

/** Records headers, and bodies that are text, as attributes of the request's span. */
export class BodiesInstrument extends Instrument {
  private readonly limitBytes: number;
  private readonly headers: readonly string[];
  private readonly rules: readonly transforms.Rule[];
  private readonly unfinished = new Set<Promise<void>>();
  private stop = new AbortController();

  /** @throws if `limitBytes`, the name of a header or a transform rule is wrong, with the reason */
  constructor(isDisabled: boolean, options: BodiesOptions | undefined) {
    super(isDisabled, options !== undefined);
    const { limitBytes = 10_240, headers = [], transforms: rules = [], ...others } = options ?? {};
    for (const name in others) throw new Error(`bodies has no option ${name}`);
    if (!Number.isSafeInteger(limitBytes) || limitBytes < 0)
      throw new Error(`limitBytes must be a whole number, 0 or more, but is ${limitBytes}`);
    for (const name of headers) new Headers().has(name); // It throws here, and not in each request.
    this.limitBytes = limitBytes;
    this.headers = headers.map((name) => name.toLowerCase());
    this.rules = rules.map(transforms.compileRule);
  }

  /** Ends `span` when the bodies are recorded, with the time of this call. Returns what to send. */
  record(
    span: Span,
    request: Request,
    context: Context | undefined,
    response: Response | undefined,
  ) {
    const endMs = performance.now();
    // The source of a stream only ends when both of its readers have cancelled. So this one does
    // when the client goes.
    const signal = AbortSignal.any([this.stop.signal, request.signal]);
    const [sent, copy] = copyOf(response);
    const parts = Promise.all([
      this.read('request', request, { headers: request.headers, body: bodyRead(context) }, signal),
      copy && this.read('response', request, copy, signal),
    ]);
    const ended = parts.then((attributes) => {
      span.setAttributes(Object.assign({}, ...attributes)).end(endMs);
      this.unfinished.delete(ended);
    });
    this.unfinished.add(ended);
    return sent;
  }

  /** Resolves when the spans that wait now have ended. They soon record what has come so far. */
  async flush(): Promise<void> {
    const { stop } = this;
    this.stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), patienceMs);
    await Promise.all(this.unfinished);
    clearTimeout(timer);
  }

  /**
   * Returns what is recorded of a message. Of its parts, reading the body alone is waited for: each
   * wait would cost every request.
   */
  private async read(
    direction: transforms.Direction,
    request: Request,
    { headers, body }: Message,
    stop: AbortSignal,
  ) {
    const rules = transforms.selectRules(this.rules, direction, request);
    const attributes: Attributes = {};
    this.addHeaders(attributes, direction, headers, rules);
    if (body === null) return attributes;
    const bodyRules = rules.filter(({ header }) => header === undefined);
    const maxBytes = bodyRules.length > 0 ? transformLimitBytes : this.limitBytes;
    const read = await readText(body, maxBytes, stop);
    const prefix = `http.${direction}.body`;
    attributes[`${prefix}.size`] = read.isWhole ? read.size : statedSize(headers);
    if (read.isWhole || read.size > 0) this.addContent(attributes, prefix, read, bodyRules);
    return attributes;
  }

  /** Adds the headers that are recorded, as the rules leave them. */
  private addHeaders(
    attributes: Attributes,
    direction: transforms.Direction,
    headers: Headers,
    rules: readonly transforms.Rule[],
  ) {
    for (const name of this.headers) {
      const recorded = valuesOf(headers, name).flatMap(
        (value) => transforms.transformHeader(rules, name, value) ?? [],
      );
      if (recorded.length > 0) attributes[`http.${direction}.header.${name}`] = recorded;
    }
  }

  /** Adds the text of a body as the rules and the limit leave it, or why there is none. */
  private addContent(
    attributes: Attributes,
    prefix: string,
    { text, isWhole }: BodyRead,
    rules: readonly transforms.Rule[],
  ) {
    const left = text && transforms.transformBody(rules, text, isWhole);
    const content = left && cut(left, this.limitBytes);
    attributes[`${prefix}.content`] = content;
    if (text === undefined) attributes[`${prefix}.binary`] = true;
    else if (content === undefined) attributes[`${prefix}.dropped`] = true;
    else if (!isWhole || content !== left) attributes[`${prefix}.truncated`] = true;
  }
}

/** Returns all values of a header. */
function valuesOf(headers: Headers, name: string): string[] {
  return name === 'set-cookie' ? headers.getSetCookie() : [headers.get(name) ?? []].flat();
}

/** Returns the size of a body that its headers state; undefined if they state none. */
function statedSize(headers: Headers): number | undefined {
  const stated = headers.get('content-length') ?? '';
  return /^\d+$/.test(stated) ? Number(stated) : undefined;
}

/**
 * Returns what a handler has read of the request by `c.req`: Hono keeps it. A clone would change
 * what handlers get.
 */
function bodyRead(context: Context | undefined) {
  const { text, arrayBuffer, blob } = context?.req.bodyCache ?? {};
  const body = text ?? arrayBuffer ?? blob;
  if (body && Bun.peek.status(body) === 'fulfilled')
    return new Response(Bun.peek(body) as string).body;
}

/**
 * Returns the response to send, and a copy to read. Once it is copied, Bun doesn't know that a body
 * was a string, and sends it as bytes, without the type of a text. What Bun had reserved for the
 * body tells a string from the same text in bytes, unless every letter takes two bytes, as in
 * Cyrillic. If a handler returns a request's stream, its copy may have a length in place of chunks.
 */
function copyOf(response: Response | undefined): [Response | undefined, Response?] {
  try {
    const copy = response?.clone() as Response;
    // The copy's headers, and not the original's: once Bun has shown them, it sends them in another
    // way.
    const reserved =
      estimateShallowMemoryUsageOf(response as Response) - estimateShallowMemoryUsageOf(copy);
    if (reserved <= 0 || copy.headers.has('content-type')) return [response, copy];
    const bytes = Bun.peek((copy.clone() as Response).bytes()) as Uint8Array;
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const isWide = /[^\0-\xff]/.test(text) && text.length * 2 === bytes.length;
    return [reserved === bytes.length && !isWide ? response : new Response(text, response), copy];
  } catch {
    return [response]; // It is no response, or its body is read already: the server says what becomes of it.
  }
}

/**
 * Reads a body until it ends, or more than `maxBytes` have come, or `signal` is aborted. If it is
 * binary, it has no text.
 */
async function readText(
  body: ReadableStream | undefined,
  maxBytes: number,
  signal: AbortSignal,
): Promise<BodyRead> {
  const reader = body?.getReader() as ReadableStreamDefaultReader | undefined;
  // Not awaited: it is only settled when the other reader of the body has ended, too.
  const stop = () => void reader?.cancel().catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  let isWhole = false;
  try {
    while (reader && !isWhole && size <= maxBytes) {
      const { value, done } = await reader.read();
      if (signal.aborted) break;
      isWhole = done;
      const bytes = value instanceof Uint8Array ? value : Buffer.from(value ?? ''); // Bun's streams also give strings.
      // A last character may lack a part: at the limit it is left out, and at the end it shows that
      // this is no text.
      text += decoder.decode(bytes.subarray(0, maxBytes - size), { stream: !done });
      size += bytes.length;
    }
  } catch {} // What came before an error is kept.
  stop();
  // Bun keeps a signal that somebody listens to for as long as what it depends on: here until the
  // next flush.
  signal.removeEventListener('abort', stop);
  return { text: binaryCharacter.test(text) ? undefined : text, isWhole, size };
}

/** Returns as many of the text's characters as fit into `limitBytes` of UTF-8. */
function cut(text: string, limitBytes: number): string {
  const bytes = Buffer.from(text);
  return bytes.length <= limitBytes
    ? text
    : new TextDecoder().decode(bytes.subarray(0, limitBytes), { stream: true });
}
