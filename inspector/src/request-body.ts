import { type Captured, captureBytes, captureText, StreamCapture, unread } from './captured.ts';
import { type Kind, kindOf } from './content-kind.ts';

const key = Symbol('recorded body');
type Observed = Request & { [key]?: RequestBody };

/** Captures the first read of a request's body, by its handler. A body that no handler reads is not read at all. */
export class RequestBody {
  /** Undefined if nothing was read so far. */
  captured: Captured | undefined = undefined;
  readonly kind: Kind;
  /** Of text; 0 for a binary body, of which only the size is recorded. */
  readonly maxBytes: number;
  /** Whether several apps record it. */
  isShared = false;
  private reading: Promise<void> | undefined = undefined;

  private constructor(
    private readonly headers: Headers,
    maxBytes: number,
  ) {
    this.kind = kindOf(headers);
    this.maxBytes = this.kind === 'binary' ? 0 : maxBytes;
  }

  /** From now on captures what is read of `request`. A request that passes several apps is observed once. */
  static of(request: Observed, maxBytes: number): RequestBody {
    observeRequests();
    const known = request[key];
    if (known !== undefined) {
      known.isShared = true;
      return known;
    }
    Object.defineProperty(request, 'body', bodyDescriptor);
    request[key] = new RequestBody(request.headers, maxBytes);
    return request[key];
  }

  /** The length that it states, in bytes; undefined if it states none, or no number. */
  get statedSize(): number | undefined {
    const stated = this.headers.get('content-length');
    return stated !== null && /^\d+$/.test(stated) ? Number(stated) : undefined;
  }

  /** A read that has begun and goes on. Never rejects. */
  get pending(): Promise<void> | undefined {
    return this.captured === undefined ? this.reading : this.captured.reading;
  }

  /** Captures what `read` gives before any other code sees it, since nothing else waits for it yet. Returns `read`. */
  capture<T>(read: Promise<T>, captureValue: (value: T, maxBytes: number) => Captured): Promise<T> {
    this.reading ??= read.then(
      (value) => {
        this.captured = captureValue(value, this.maxBytes);
      },
      () => {}, // The handler gets the error.
    );
    return read;
  }

  /** For a handler that takes the stream: captures a copy of it, up to `maxBytes`. */
  captureStream(request: Request): void {
    if (this.reading !== undefined || request.bodyUsed || streamOf(request)?.locked !== false) return;
    const stream = this.maxBytes === 0 ? null : streamOf(clone.call(request) as Request);
    this.captured = stream === null ? unread : new StreamCapture(stream, this.maxBytes);
    this.reading = this.captured.reading;
  }
}

const { prototype } = Request;
const { text, arrayBuffer, bytes, blob, json, formData, clone } = prototype;
const bodyGetter = Object.getOwnPropertyDescriptor(prototype, 'body')?.get as () => ReadableStream | null;
const streamOf = (request: Request) => bodyGetter.call(request);
/** Of each observed request. That of the prototype cannot be changed. */
const bodyDescriptor = { configurable: true, enumerable: true, get: observedStream };

/** Replaces what reads the bodies of requests. For requests that are not observed, it does what it did before. */
function observeRequests(): void {
  if (prototype.text === observing.text) return;
  Object.assign(prototype, observing);
  observeStreams();
}

function capturing<T>(read: () => Promise<T>, captureValue: (value: T, maxBytes: number) => Captured) {
  return function (this: Observed): Promise<T> {
    return this[key]?.capture(read.call(this), captureValue) ?? read.call(this);
  };
}

const observing = {
  text: capturing(text, captureText),
  bytes: capturing(bytes, captureBytes),
  arrayBuffer: capturing(arrayBuffer, captureBytes),
  blob: capturing(blob, captureBlob),
  // The others go through a Response, which gives the same results and errors as the Request.
  async json(this: Observed) {
    return this[key] ? new Response(await this.text()).json() : json.call(this);
  },
  async formData(this: Observed) {
    if (!this[key]?.maxBytes) return this[key]?.capture(formData.call(this), () => unread) ?? formData.call(this);
    const init = { headers: { 'content-type': this.headers.get('content-type') ?? '' } };
    return new Response(await this.arrayBuffer(), init).formData();
  },
  clone(this: Observed) {
    const copy = clone.call(this) as Observed;
    if (this[key]) copy[key] = this[key];
    return copy;
  },
};

/** The blob itself holds its bytes, and cannot change. */
function captureBlob(value: Blob, maxBytes: number): Captured {
  return maxBytes > 0 ? new StreamCapture(value.stream(), maxBytes) : { ...unread, size: value.size };
}

const whenRead = Symbol('captures the body');
type ObservedStream = ReadableStream & { [whenRead]?: () => ReadableStream };

/**
 * If the length is known, the stream is captured when one of its methods is called, and not if it is passed on whole. A
 * middleware may only ask if there is a body, as Hono's body limit does. A copy would double the time of the request.
 */
function observedStream(this: Observed): ReadableStream | null {
  const stream = streamOf(this) as ObservedStream | null;
  const body = this[key];
  if (stream === null || stream.locked || body === undefined) return stream;
  const capture = () => {
    body.captureStream(this);
    return streamOf(this) as ReadableStream; // To make the copy has replaced the stream.
  };
  if (!this.headers.has('content-length')) return capture();
  stream[whenRead] = capture;
  return stream;
}

const readers = [
  ...['getReader', 'pipeTo', 'pipeThrough', 'tee', 'values', 'text', 'json', 'bytes', 'blob'],
  Symbol.asyncIterator,
] as 'getReader'[];

function observeStreams(): void {
  const { prototype } = ReadableStream;
  for (const method of readers) {
    const read = prototype[method];
    prototype[method] = function (this: ObservedStream, ...args: []) {
      return read.apply(this[whenRead]?.() ?? this, args);
    } as typeof read;
  }
}
