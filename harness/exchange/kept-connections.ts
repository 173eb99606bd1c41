import { connect, type Socket } from 'node:net';
import { AnswerReader } from './answer-reader.ts';
import { bodyOf } from './request-body.ts';
import type { Request } from './request-schema.ts';
import { headersOf } from './send-request.ts';

/** What became of requests that were sent one after the other, on connections that are kept. */
export interface KeptConnections {
  /** Requests that were sent. Those whose answers broke off are in none of the numbers below. */
  asked: number;
  answered: number;
  /** How often the server closed a connection after an answer that said so. */
  announced: number;
  /** How often a request got no answer because the server closed its connection, or had done so. */
  unannounced: number;
}

/** When there were requests enough. */
export interface AskingLimits {
  requests: number;
  /** Connections that the server has closed. */
  closes: number;
  ms: number;
}

/** How a request ended; `stuck`: it did not in time; `broken`: its answer broke off. */
type Outcome = 'answered' | 'announced' | 'unannounced' | 'broken' | 'stuck';

/**
 * Sends requests by turns as a client with one connection does, which opens another only if the
 * server has closed it. No client of a library tells that: all of them send such a request again.
 */
export async function askOnKeptConnections(
  origin: string,
  requests: readonly Request[],
  limits: AskingLimits,
): Promise<KeptConnections> {
  const seen: KeptConnections = { asked: 0, answered: 0, announced: 0, unannounced: 0 };
  const endMs = performance.now() + limits.ms;
  const messages = requests.map((request) => messageOf(origin, request));
  let connection: Connection | undefined;
  const isEnough = () =>
    seen.asked >= limits.requests ||
    seen.announced + seen.unannounced >= limits.closes ||
    performance.now() >= endMs;
  while (!isEnough()) {
    connection ??= await Connection.open(origin);
    const message = messages[seen.asked % messages.length] as Message;
    const outcome = await connection?.ask(message, endMs - performance.now());
    if (outcome === undefined || outcome === 'stuck') break;
    seen.asked++;
    if (outcome === 'answered' || outcome === 'announced') seen.answered++;
    if (outcome === 'announced' || outcome === 'unannounced') seen[outcome]++;
    if (outcome === 'answered') continue;
    connection?.close();
    connection = undefined;
  }
  connection?.close();
  return seen;
}

/** A request as it is sent. */
interface Message {
  bytes: Buffer;
  isHead: boolean;
}

function messageOf(origin: string, request: Request): Message {
  const body = bodyOf(request);
  const headers = Object.entries(headersOf(request, new URL(origin).host, body));
  const lines = [
    `${request.method} ${request.path} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  const payload = Buffer.from(body ?? '');
  const isChunked = request.chunked && body !== undefined;
  return {
    bytes: Buffer.concat([head, isChunked ? chunked(payload) : payload]),
    isHead: request.method === 'HEAD',
  };
}

/** Returns a payload in one chunk. */
function chunked(payload: Buffer): Buffer {
  const end = Buffer.from('0\r\n\r\n');
  if (payload.length === 0) return end;
  const size = Buffer.from(`${payload.length.toString(16)}\r\n`);
  return Buffer.concat([size, payload, Buffer.from('\r\n'), end]);
}

/** A connection, on which one request after the other is sent. */
class Connection {
  private isClosed = false;
  private reader: AnswerReader | undefined;
  private tellOutcome: ((outcome: Outcome) => void) | undefined;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (bytes: Buffer) => this.read(bytes));
    for (const event of ['end', 'error', 'close']) socket.on(event, () => this.end());
  }

  /** Resolves with undefined if nobody takes the connection. */
  static async open(origin: string): Promise<Connection | undefined> {
    const { hostname: host, port } = new URL(origin);
    const socket = connect({ host, port: Number(port), noDelay: true });
    const { promise, resolve } = Promise.withResolvers<boolean>();
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    return (await promise) ? new Connection(socket) : undefined;
  }

  async ask({ bytes, isHead }: Message, withinMs: number): Promise<Outcome> {
    if (this.isClosed) return 'unannounced';
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.reader = new AnswerReader(isHead);
    this.tellOutcome = resolve;
    const timer = setTimeout(() => resolve('stuck'), Math.max(0, withinMs));
    this.socket.write(bytes);
    return promise.finally(() => clearTimeout(timer));
  }

  close(): void {
    this.isClosed = true;
    this.socket.destroy();
  }

  private read(bytes: Buffer): void {
    this.reader?.push(bytes);
    if (this.reader?.isComplete)
      this.tellOutcome?.(this.reader.announcesClose ? 'announced' : 'answered');
  }

  private end(): void {
    this.isClosed = true;
    if (this.reader?.endsWithConnection) this.tellOutcome?.('announced');
    else this.tellOutcome?.(this.reader?.hasBegun ? 'broken' : 'unannounced');
  }
}
