import { type Captured, captureBytes, captureText, StreamCapture } from './captured.ts';

const key = Symbol('recorded body');
type Observed = Request & { [key]: RequestBody };

/**
 * What a handler reads of a request's body, noted as it reads it: the body isn't read twice, or where nobody reads it.
 * Whatever reads it first is noted.
 */
export class RequestBody {
  private captured: Captured | undefined = undefined;
  private reading: Promise<unknown> | undefined = undefined;

  private constructor(private readonly maxBytes: number) {}

  /** Puts the methods that read a body in front of `request`'s own. A request that passes several apps is observed once. */
  static of(request: Request, maxBytes: number): RequestBody {
    const observed = request as Observed;
    return observed[key] ?? observe(request, new RequestBody(maxBytes));
  }

  get current(): Captured | undefined {
    return this.captured;
  }

  /** A read that has begun and goes on; it may reject. */
  get pending(): Promise<unknown> | undefined {
    return this.captured === undefined || this.captured instanceof StreamCapture ? this.reading : undefined;
  }

  /** Returns what `read` gives, and notes it before anybody else sees it. */
  noting<T>(read: Promise<T>, capture: (value: T, maxBytes: number) => Captured): Promise<T> {
    if (this.reading !== undefined) return read;
    const noted = read.then((value) => {
      this.captured = capture(value, this.maxBytes);
      return value;
    });
    this.reading = noted;
    return noted;
  }

  /** For a handler that takes the stream: reads along from a copy, which ends after `maxBytes`. */
  noteStream(request: Request): void {
    if (this.reading !== undefined || request.bodyUsed || native.body(request)?.locked !== false) return;
    const stream = native.clone(request).body;
    if (stream === null) return;
    const capture = new StreamCapture(stream, this.maxBytes);
    this.captured = capture;
    this.reading = capture.read(() => {});
  }

  stop(): void {
    if (this.captured instanceof StreamCapture) this.captured.stop();
  }
}

const { prototype } = Request;
const bodyGetter = Object.getOwnPropertyDescriptor(prototype, 'body')?.get as () => ReadableStream | null;
const native = {
  text: (request: Request) => prototype.text.call(request),
  bytes: (request: Request) => prototype.bytes.call(request),
  arrayBuffer: (request: Request) => prototype.arrayBuffer.call(request),
  clone: (request: Request) => prototype.clone.call(request) as Request,
  body: (request: Request) => bodyGetter.call(request),
};

/** Own properties of the request, which cost less than another prototype: 1 µs a request. */
function observe(request: Request, body: RequestBody): RequestBody {
  const observed = Object.assign(request, methods) as Request as Observed;
  observed[key] = body;
  Object.defineProperty(observed, 'body', streamDescriptor);
  return body;
}

const methods = {
  text(this: Observed) {
    return this[key].noting(native.text(this), captureText);
  },
  bytes(this: Observed) {
    return this[key].noting(native.bytes(this), captureBytes);
  },
  arrayBuffer(this: Observed) {
    return this[key].noting(native.arrayBuffer(this), (buffer, max) =>
      captureBytes(new Uint8Array(buffer), max),
    );
  },
  // The rest is made of those by a Response, which gives the same results and errors as the Request would.
  async json(this: Observed) {
    return new Response(await this.text()).json();
  },
  async blob(this: Observed) {
    return rebuilt(this, await this.arrayBuffer()).blob();
  },
  async formData(this: Observed) {
    return rebuilt(this, await this.arrayBuffer()).formData();
  },
  clone(this: Observed) {
    const copy = native.clone(this);
    observe(copy, this[key]);
    return copy;
  },
};

const streamDescriptor: PropertyDescriptor & ThisType<Observed> = {
  configurable: true,
  enumerable: true,
  get() {
    const stream = native.body(this);
    if (stream === null || stream.locked) return stream;
    if (this.headers.has('content-length')) {
      noteWhenRead(stream, this);
      return stream;
    }
    this[key].noteStream(this);
    return native.body(this);
  },
};

const readers = [
  ...['getReader', 'pipeTo', 'pipeThrough', 'tee', 'values', 'text', 'json', 'bytes', 'blob'],
  Symbol.asyncIterator,
] as (keyof ReadableStream)[];

/**
 * Of a body with a known length a copy is read along only once the stream itself is read: a middleware such as Hono's body
 * limit asks whether there is a body and no more, and the copy took as long as all the rest. What is then handed on whole,
 * to `fetch` or a `Response`, is not recorded.
 */
function noteWhenRead(stream: ReadableStream, request: Observed): void {
  for (const method of readers) {
    Object.defineProperty(stream, method, {
      configurable: true,
      value(...args: unknown[]) {
        for (const each of readers) delete stream[each];
        request[key].noteStream(request);
        // Another one than before, where a copy was made.
        const current = native.body(request) as unknown as Record<
          PropertyKey,
          (...args: unknown[]) => unknown
        >;
        return current[method]?.(...args);
      },
    });
  }
}

function rebuilt(request: Request, body: ArrayBuffer): Response {
  const type = request.headers.get('content-type');
  return new Response(body, type === null ? {} : { headers: { 'content-type': type } });
}
