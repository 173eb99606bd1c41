import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import type { Pinning } from '../machine/pinning.ts';
import type { Request } from '../suite/suite-schema.ts';
import { Problem } from '../words/errors.ts';
import type { FoundTool } from './find.ts';
import { runLoad } from './run-load.ts';

/** What a request needs; the rest may change the answer, even the name of the client. */
const NEUTRAL = /^(host|connection|content-length|transfer-encoding|x-vegeta-\w+)$/;
/** A tool is to send the request for a second, but not as fast as it can. */
const ANSWER_AFTER_MS = 50;
const END = '\r\n\r\n';

/**
 * The request with the headers that the load tool adds to it, such as the type of its body: what is checked, and proven,
 * is then what is measured. @throws Problem if the tool sends another path or body; some shorten `//` and decode `%2F`
 */
export async function asSent(
  found: FoundTool,
  request: Request,
  listen: string,
  pinning: Pinning | undefined,
): Promise<Request> {
  const received: string[] = [];
  const server = createServer((socket) => record(socket, received));
  await new Promise<void>((resolve) => server.listen(0, listen, resolve));
  const origin = `http://${listen}:${(server.address() as { port: number }).port}`;
  const load = { origin, requests: [{ ...request, weight: 1 }], connections: 1, durationSeconds: 1 };
  await runLoad(found, load, pinning);
  server.close();
  const [first] = received;
  // The first pair tells why.
  if (first === undefined) return request;
  const head = first.split(END)[0] ?? '';
  const [line = '', ...lines] = head.split('\r\n');
  const refuse = (sent: string, wanted: string) => {
    const what = `${found.tool.name} sends ${JSON.stringify(sent)} where the suite says ${JSON.stringify(wanted)}`;
    throw new Problem(what, 'Write it as the load tool sends it, or choose another tool with --tool');
  };
  const sent = line.replace(/ HTTP\/1.1$/, '');
  const wanted = `${request.method} ${request.path}`;
  if (sent !== wanted) refuse(sent, wanted);
  const body = request.bodyFile === undefined ? (request.body ?? '') : readFileSync(request.bodyFile);
  const isChunked = /^transfer-encoding: *chunked/im.test(head);
  if (!isChunked && first.slice(head.length + END.length) !== Buffer.from(body).toString('latin1'))
    refuse('another body', 'its own');
  const own = new Set(Object.keys(request.headers).map((name) => name.toLowerCase()));
  const headers = lines.map((each) => (/^([^:]+): *(.*)$/.exec(each) ?? []).slice(1) as [string, string]);
  const added = headers.filter(([name]) => !own.has(name.toLowerCase()) && !NEUTRAL.test(name.toLowerCase()));
  return { ...request, headers: { ...request.headers, ...Object.fromEntries(added) }, chunked: isChunked };
}

/** Keeps the first request of each connection, byte by byte, and answers all. */
function record(socket: Socket, received: string[]): void {
  let text = '';
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    const head = text.split(END, 1)[0] ?? '';
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
    const isWhole = /^transfer-encoding: *chunked/im.test(head)
      ? text.endsWith(`0${END}`)
      : text.length >= head.length + END.length + length;
    if (!isWhole) return;
    received.push(text);
    text = '';
    setTimeout(() => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 0${END}`), ANSWER_AFTER_MS);
  });
}
