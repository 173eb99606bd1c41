import { type Captured, captureBytes, captureSize, captureText, StreamCapture, unread } from './captured.ts';
import { kindOf } from './content-kind.ts';

const key = Symbol('recorded body');
type Observed = Request & { [key]: RequestBody };

/**
 * Captures what a handler reads of a request's body, while the handler reads it. So nothing is read twice, and a body
 * that no handler reads is not read at all. Only the first read is captured.
 */
export class RequestBody {
  /** Undefined if nothing was read so far. */
  captured: Captured | undefined = undefined;
  private reading: Promise<unknown> | undefined = undefined;

  /** @param maxBytes of text; 0 for a binary body, of which only the size is recorded */
  private constructor(readonly maxBytes: number) {}

  /** Replaces the methods that read the body. A request that passes several apps is observed once. */
  static of(request: Request, maxBytes: number): RequestBody {
    const existing = (request as Observed)[key];
    if (existing !== undefined) return existing;
    return observe(request, new RequestBody(kindOf(request.headers) === 'binary' ? 0 : maxBytes));
  }

  /** A read that has begun and goes on. It may reject. */
  get pending(): Promise<unknown> | undefined {
    return this.captured === undefined ? this.reading : this.captured.reading;
  }

  /** Returns what `read` gives, and captures it before any other code sees it. */
  capture<T>(read: Promise<T>, captureValue: (value: T, maxBytes: number) => Captured): Promise<T> {
    if (this.reading !== undefined) return read;
    const captured = read.then((value) => {
      this.captured = captureValue(value, this.maxBytes);
      return value;
    });
    this.reading = captured;
    return captured;
  }

  /** For a handler that takes the stream: captures a copy of it, up to `maxBytes`. */
  captureStream(request: Request): void {
    if (this.reading !== undefined || request.bodyUsed || streamOf(request)?.locked !== false) return;
    const stream = this.maxBytes === 0 ? null : streamOf(prototype.clone.call(request) as Request);
    this.captured = stream === null ? unread : new StreamCapture(stream, this.maxBytes);
    this.reading = this.captured.reading;
  }
}

const { prototype } = Request;
const bodyGetter = Object.getOwnPropertyDescriptor(prototype, 'body')?.get as () => ReadableStream | null;
const streamOf = (request: Request) => bodyGetter.call(request);

/** Sets properties on the request itself. To set another prototype would cost 1 µs more for each request. */
function observe(request: Request, body: RequestBody): RequestBody {
  const observed = Object.assign(request, methods) as Request as Observed;
  observed[key] = body;
  Object.defineProperty(observed, 'body', streamDescriptor);
  return body;
}

const methods = {
  text(this: Observed) {
    return this[key].capture(prototype.text.call(this), captureText);
  },
  bytes(this: Observed) {
    return this[key].capture(prototype.bytes.call(this), captureBytes);
  },
  arrayBuffer(this: Observed) {
    return this[key].capture(prototype.arrayBuffer.call(this), captureBytes);
  },
  // The others go through a Response, which gives the same results and errors as the Request.
  async json(this: Observed) {
    return new Response(await this.text()).json();
  },
  blob(this: Observed) {
    return this[key].capture(prototype.blob.call(this), captureBlob);
  },
  async formData(this: Observed) {
    if (this[key].maxBytes === 0) return this[key].capture(prototype.formData.call(this), () => unread);
    return responseWith(this, await this.arrayBuffer()).formData();
  },
  clone(this: Observed) {
    const copy = prototype.clone.call(this) as Request;
    observe(copy, this[key]);
    return copy;
  },
};

/** The blob itself holds its bytes, and cannot change. */
function captureBlob(blob: Blob, maxBytes: number): Captured {
  return maxBytes === 0 ? captureSize(blob.size) : new StreamCapture(blob.stream(), maxBytes);
}

function responseWith({ headers }: Request, body: ArrayBuffer): Response {
  const type = headers.get('content-type');
  return new Response(body, type === null ? {} : { headers: { 'content-type': type } });
}

const streamDescriptor: PropertyDescriptor & ThisType<Observed> = {
  configurable: true,
  enumerable: true,
  get() {
    const stream = streamOf(this);
    if (stream === null || stream.locked) return stream;
    if (this.headers.has('content-length')) {
      captureWhenRead(stream, this);
      return stream;
    }
    this[key].captureStream(this);
    return streamOf(this);
  },
};

const readers = [
  ...['getReader', 'pipeTo', 'pipeThrough', 'tee', 'values', 'text', 'json', 'bytes', 'blob'],
  Symbol.asyncIterator,
] as (keyof ReadableStream)[];

/**
 * For a body with a known length: captures the stream when one of its methods is called. A middleware such as Hono's body
 * limit only asks if there is a body, and a copy would double the time of the request. A stream that is passed on whole,
 * to `fetch` or a `Response`, is not captured.
 */
function captureWhenRead(stream: ReadableStream, request: Observed): void {
  for (const method of readers) {
    Object.defineProperty(stream, method, {
      configurable: true,
      value(...args: unknown[]) {
        for (const each of readers) delete stream[each];
        request[key].captureStream(request);
        // biome-ignore lint/suspicious/noExplicitAny: calls the method of the same name
        return (streamOf(request) as any)[method](...args); // To make the copy has replaced the stream.
      },
    });
  }
}
