import { type Captured, captureBytes, captureText, StreamCapture, unread } from './captured.ts';

const key = Symbol('given body');
type Observed = Response & { [key]?: unknown };

const NativeResponse = globalThis.Response;

/** Replaces the global `Response`, which Hono calls too, by one that remembers its body: a clone would copy it all. */
export function observeResponses(): void {
  if (globalThis.Response === (ObservedResponse as unknown)) return;
  const { name, prototype } = NativeResponse;
  Object.setPrototypeOf(ObservedResponse, NativeResponse);
  Object.defineProperty(ObservedResponse, 'name', { value: name, configurable: true });
  ObservedResponse.prototype = prototype;
  Object.defineProperty(prototype, 'constructor', { value: ObservedResponse, writable: true, configurable: true });
  globalThis.Response = ObservedResponse as unknown as typeof Response;
}

function ObservedResponse(...[body, init]: ConstructorParameters<typeof Response>): Response {
  if (new.target === undefined) return (NativeResponse as unknown as () => Response)(); // It throws.
  const isSubclass = (new.target as unknown) !== ObservedResponse;
  const response: Observed = isSubclass
    ? Reflect.construct(NativeResponse, [body, init], new.target)
    : new NativeResponse(body, init);
  response[key] = typeof body === 'string' ? body : originOf(body, init);
  return response;
}

/** To set a header late, Hono makes a new response of the old one and its stream. Then what the old one was given counts. */
function originOf(body: unknown, init: ResponseInit | undefined): unknown {
  const isOfOther = body instanceof ReadableStream && init instanceof NativeResponse && init.body === body;
  return (isOfOther && (init as Observed)[key]) || body;
}

/** True if a response was made of a text, for which Bun sends a type that its headers don't show. */
export function isText(response: Observed): boolean {
  return typeof response[key] === 'string';
}

/**
 * Returns a response whose headers may be read: of a blob's response a copy. If its own headers are read, Bun spells them in
 * another way when it sends them, and leaves out the range of a part of a file.
 */
export function readable(response: Observed): Response {
  const given = response[key];
  const hasOwnType = given instanceof Blob || given instanceof URLSearchParams || given instanceof FormData;
  return hasOwnType && !response.bodyUsed ? (response.clone() as Response) : response;
}

/**
 * Captures the first `maxBytes` of a body. If it is no text or bytes, reads a copy of it as a stream. Returns undefined if
 * there is no body, or if the handler has already read it: the server will report that.
 */
export function captureResponse(response: Observed, maxBytes: number, request: Request): Captured | undefined {
  const given = response[key];
  if (given === null || response.bodyUsed) return undefined;
  response[key] = undefined; // Some responses live long after they were sent.
  if (given instanceof Uint8Array || given instanceof ArrayBuffer) return captureBytes(given, maxBytes);
  if (maxBytes === 0) return unread;
  if (typeof given === 'string') return captureText(given, maxBytes);
  let copy: Response;
  try {
    copy = response.clone() as Response;
  } catch {
    return undefined; // Somebody is reading the body.
  }
  if (copy.body === null) return undefined;
  const capture = new StreamCapture(copy.body, maxBytes);
  // The source of a stream only ends when both of its readers have cancelled. So this one does when the client goes.
  if (request.signal.aborted) capture.stop();
  request.signal.addEventListener('abort', () => capture.stop(), { once: true });
  return capture;
}
