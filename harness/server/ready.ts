import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ScenarioProblem } from '../words/errors.ts';
import type { Server } from './server.ts';

const RETRY_MS = 20;
const TELL_WITHIN_MS = 1_000;
/** What a client of HTTP/2 begins with, and an empty frame of settings (RFC 9113, sections 3.4 and 6.5). */
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0';
const SETTINGS = 4;
const REMEDY = 'Let it serve HTTP/1.1 without TLS: what is measured is the server, not what stands before it';

type Asked = Pick<Server, 'name' | 'child' | 'origin' | 'deadlineMs'>;

/**
 * What comes of the question, asked again until there is no fault in the answer: a server may listen before it is ready.
 * @throws ScenarioProblem the last fault, once the time to start is over, or if it ended or will never answer.
 */
export async function whenReady<T>(server: Asked, ask: () => Promise<T>): Promise<T> {
  for (let isFirst = true; ; isFirst = false)
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ScenarioProblem) || !(performance.now() < server.deadlineMs)) throw error;
      const { exit } = server.child;
      const why = exit
        ? `it ended with ${exit.how}; it said: ${server.child.complaint() || 'nothing'}`
        : isFirst && (await spoken(new URL(server.origin)));
      if (why) throw new ScenarioProblem(server.name, 'did not answer', why, exit ? error.remedy : REMEDY);
      await Bun.sleep(RETRY_MS);
    }
}

/** What a server speaks in place of HTTP/1.1; undefined if nothing tells. */
async function spoken({ hostname: host, port }: URL): Promise<string | undefined> {
  const target = { host, port: Number(port) };
  const secure = connectTls({ ...target, rejectUnauthorized: false });
  if (await told(secure, 'secureConnect', () => true)) return 'it speaks TLS';
  const plain = connectPlain(target, () => plain.write(PREFACE, 'latin1'));
  // The type of a frame is its fourth byte.
  if (await told(plain, 'data', (bytes) => bytes?.[3] === SETTINGS)) return 'it speaks HTTP/2';
  return undefined;
}

/** Whether such an event comes of it. */
function told(socket: Socket, event: string, isIt: (bytes?: Buffer) => boolean): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.once(event, (bytes) => resolve(isIt(bytes)));
  for (const end of ['error', 'close', 'timeout']) socket.once(end, () => resolve(false));
  socket.setTimeout(TELL_WITHIN_MS);
  return promise.finally(() => socket.destroy());
}
