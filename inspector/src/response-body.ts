import { type Captured, captureText, StreamCapture } from './captured.ts';

const key = Symbol('given body');
type Observed = Response & { [key]?: unknown };

/** In place of the text that `Response.json()` makes itself. */
const ownJson = Symbol('JSON');

const NativeResponse = globalThis.Response;

/**
 * Replaces the global `Response` by one that remembers what it was given, so that a text can be recorded without a copy of
 * all of it: `Response.clone()` and a second reader would make one. What it makes are the runtime's own responses. Hono's
 * `c.json()`, `c.text()`, `c.html()` and `c.body()` all call it.
 */
export function observeResponses(): void {
  if (globalThis.Response === (ObservedResponse as unknown)) return;
  const { length, name, prototype } = NativeResponse;
  Object.setPrototypeOf(ObservedResponse, NativeResponse);
  Object.defineProperty(ObservedResponse, 'length', { value: length, configurable: true });
  Object.defineProperty(ObservedResponse, 'name', { value: name, configurable: true });
  Object.assign(ObservedResponse, { prototype, json: observedJson });
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

function observedJson(data: unknown, init?: ResponseInit): Response {
  const response: Observed = NativeResponse.json(data, init);
  response[key] = ownJson;
  return response;
}

/** To set a header late, Hono makes a new response of the old one and its stream. Then what the old one was given counts. */
function originOf(body: unknown, init: ResponseInit | undefined): unknown {
  if (!(body instanceof ReadableStream && init instanceof NativeResponse)) return body;
  const earlier = (init as Observed)[key];
  return typeof earlier === 'string' && init.body === body ? earlier : body;
}

/**
 * Returns a response whose headers may be read. If those of a blob's response are read, Bun spells them in another way when it
 * sends them, and leaves out the range of a part of a file. So this is a copy of such a response.
 */
export function readable(response: Observed): Response {
  const given = response[key];
  const hasOwnType = given instanceof Blob || given instanceof URLSearchParams || given instanceof FormData;
  return hasOwnType && !response.bodyUsed ? (response.clone() as Response) : response;
}

/** True if the response was given a text, whatever its headers say or don't say. */
export function isText(response: Response): boolean {
  return typeof (response as Observed)[key] === 'string';
}

/**
 * Captures the first `maxBytes` of a body that was not read yet. Of a text it copies only these. Else it reads a copy of the
 * body as a stream, up to there. Undefined if there is no body.
 */
export function captureResponse(response: Observed, maxBytes: number, request: Request): Captured | undefined {
  const given = response[key];
  response[key] = undefined; // A response that is being sent lives long enough to keep the text for very long.
  // If the handler has already read this body, the server will report that.
  if (given === null || response.bodyUsed) return undefined;
  if (typeof given === 'string') return captureText(given, maxBytes);
  const copy = copyOf(response);
  if (given === ownJson && copy !== undefined) return captureText(Bun.peek(copy.text()) as string, maxBytes);
  if (!copy?.body) return undefined;
  const capture = new StreamCapture(copy.body, maxBytes);
  // The source of a stream only ends when both of its readers have cancelled. So this one does when the client goes.
  if (capture.isStreamed) request.signal.addEventListener('abort', () => capture.stop(), { once: true });
  return capture;
}

/** Undefined if the body is being read by another. */
function copyOf(response: Response): Response | undefined {
  try {
    return response.clone() as Response;
  } catch {
    return undefined;
  }
}
