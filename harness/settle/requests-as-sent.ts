import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Request } from '../exchange/request-schema.ts';
import type { FoundTool } from '../load/find.ts';
import { runLoad } from '../load/run-load.ts';
import type { Pinning } from '../machine/pinning.ts';
import { sentIn } from '../suite/select.ts';
import type { Exchange, LoadedSuite } from '../suite/suite-schema.ts';
import { Problem } from '../words/errors.ts';
import type { Setting } from './setting.ts';

/** What a request needs; the rest may change the answer, even the name of the client. */
const NEUTRAL = /^(host|connection|content-length|transfer-encoding|x-vegeta-\w+)$/i;
/** A tool is to send the request for a second, but not as fast as it can. */
const ANSWER_AFTER_MS = 50;
/** So many are read: a tool sends more than the 16 kB that a server takes by default. */
const MAX_HEADER_BYTES = 1024 ** 2;

/**
 * Returns the suite with its requests as the load tool sends them: what is checked, and proven, is then what is measured.
 * @throws Problem if the tool sends something else
 */
export async function withRequestsAsSent(
  suite: LoadedSuite,
  { tool, listen, pinning }: Pick<Setting, 'tool' | 'listen' | 'pinning'>,
): Promise<LoadedSuite> {
  const requests = suite.tasks.flatMap((task) => sentIn(task).map(({ request }) => request));
  // Tasks may share a request, which is recorded once.
  const distinct = new Map(requests.map((request) => [JSON.stringify(request), request]));
  const recordings = [...distinct].map(async ([key, request]) => {
    return [key, await asSent(tool, request, listen, pinning)] as const;
  });
  const sentRequests = new Map(await Promise.all(recordings));
  const asRecorded = (exchange: Exchange): Exchange => ({
    ...exchange,
    request: sentRequests.get(JSON.stringify(exchange.request)) ?? exchange.request,
  });
  const tasks = suite.tasks.map((task) => ({
    ...task,
    exchanges: task.exchanges.map(asRecorded),
    warmUp: task.warmUp.map(asRecorded),
  }));
  return { ...suite, tasks };
}

/**
 * The request with the headers that the load tool adds to it, such as the type of its body: what is checked, and proven,
 * is then what is measured. @throws Problem if the tool makes no load here, or sends another path or body: some decode `%2F`
 */
export async function asSent(
  found: FoundTool,
  request: Request,
  listen: string,
  pinning?: Pinning,
): Promise<Request> {
  const received: { message: IncomingMessage; sent: Buffer }[] = [];
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, async (message, answer) => {
    // When its time is up, a tool may leave a request half sent.
    const sent = await buffer(message).catch(() => undefined);
    if (sent) received.push({ message, sent });
    setTimeout(() => answer.end(), ANSWER_AFTER_MS);
  }).listen(0, listen);
  await once(server, 'listening');
  const origin = `http://${listen}:${(server.address() as { port: number }).port}`;
  const load = {
    origin,
    requests: [{ ...request, weight: 1 }],
    connections: 1,
    durationSeconds: 1,
  };
  const { requests, errors } = await runLoad(found, load, pinning);
  server.close();
  const [error] = errors;
  // A large file may take its time.
  if (requests === 0 && (error || request.bodyFile === undefined)) {
    const what = `No load came of ${found.tool.name}: ${error?.detail ?? 'it saw no answer'}`;
    throw new Problem(what, 'Choose another with --tool, or run by hand what --dry-run prints');
  }
  const [first] = received;
  // The first pair tells why.
  if (first === undefined) return request;
  const { message, sent } = first;
  const difference = differenceIn(request, message, sent);
  if (difference !== undefined) {
    const remedy = 'Write it as the load tool sends it, or choose another tool with --tool';
    throw new Problem(`${found.tool.name} sends ${difference}`, remedy);
  }
  const own = new Set(Object.keys(request.headers).map((name) => name.toLowerCase()));
  const all = message.rawHeaders.flatMap((name, at, raw) =>
    at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : [],
  );
  const added = all.filter(([name = '']) => !own.has(name.toLowerCase()) && !NEUTRAL.test(name));
  const chunked = message.headers['transfer-encoding'] === 'chunked';
  return { ...request, headers: { ...request.headers, ...Object.fromEntries(added) }, chunked };
}

/** What was sent that is not of the request, in words; undefined if nothing was. Values of headers may be secret. */
function differenceIn(
  request: Request,
  { method, url, headersDistinct }: IncomingMessage,
  sent: Buffer,
) {
  const { headers, body = '', bodyFile } = request;
  const [line, wanted] = [`${method} ${url}`, `${request.method} ${request.path}`];
  if (line !== wanted)
    return `${JSON.stringify(line)} where the suite says ${JSON.stringify(wanted)}`;
  if (!sent.equals(Buffer.from(bodyFile === undefined ? body : readFileSync(bodyFile))))
    return 'another body than the suite';
  const isWrong = ([name, value]: [string, string]) =>
    !Bun.deepEquals(headersDistinct[name.toLowerCase()], [value.trim()]);
  const [wrong] = Object.entries(headers).find(isWrong) ?? [];
  return wrong && `another ${wrong} than the suite, or several`;
}
