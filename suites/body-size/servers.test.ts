// Every server as a process, spoken to over bare TCP: an HTTP client would choose the framing
// itself, and can't stop in the middle of a body.
import { describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { withServer } from '../../harness/testing/serving.ts';

/** Does not know the size of a chunked body. */
const BY_HEADER = 'bun-content-length.ts';
const EVERYWHERE = ['raw.mjs', 'stream.mjs', 'raw-web.mjs', 'web.mjs', 'web-high-water-mark.mjs'];
const BUN_ONLY = ['bun-array-buffer.ts', 'bun-reader.ts', BY_HEADER, 'bun-body-limit.ts'];
const SIZES = [0, 1, 3 * 1024 * 1024];

const node = Bun.which('node');

describe.each([...EVERYWHERE, ...BUN_ONLY])('%s under Bun', (script) =>
  check(process.execPath, script),
);
describe.skipIf(!node).each(EVERYWHERE)('%s under Node', (script) => check(node ?? '', script));

function check(runtime: string, script: string) {
  const command = [runtime, join(import.meta.dir, script)];

  test('answers with the size of the body, one request after the other on one connection', () =>
    withServer(command, {}, async (port) => {
      const socket = await open(port);
      for (const size of SIZES) {
        const sized = await exchange(socket, ...sizedPost(size));
        expect(sized).toEqual(answer(size));
        const chunked = await exchange(socket, ...chunkedPost(size));
        expect(chunked).toEqual(answer(script === BY_HEADER ? null : size));
      }
      socket.destroy();
    }));

  test('outlives clients that fail, in silence, and ends at SIGTERM with a connection open', async () => {
    const complaint = await withServer(command, {}, async (port) => {
      for (const bytes of CUT_SHORT) {
        // It sends that, waits a moment, and leaves.
        const failing = await open(port);
        const answers: Buffer[] = [];
        failing.on('data', (answer: Buffer) => answers.push(answer));
        failing.write(bytes);
        await Bun.sleep(50);
        failing.destroy();
        expect(Buffer.concat(answers).toString('latin1')).not.toContain(' 413 ');
      }
      const socket = await open(port);
      expect(await exchange(socket, head('GET'))).toEqual({ status: 405, length: '0', size: null });
      expect((await exchange(socket, ...sizedPost(7))).status).toBe(200);
    });
    expect(complaint).toBe('');
  });
}

const answer = (size: number | null) => ({
  status: 200,
  length: '0',
  size: size === null ? null : `${size}`,
});

/** Each is followed by the end of the connection. */
const CUT_SHORT = [
  `${head('POST', 'Content-Length: 1000')}0123456789`,
  `${head('POST', 'Transfer-Encoding: chunked')}a\r\n0123456789\r\n`,
  `${head('POST', 'Transfer-Encoding: chunked')}not a length\r\n`,
  // More than Bun.serve takes by default: it would refuse it at once.
  `${head('POST', `Content-Length: ${1024 ** 3}`)}0123456789`,
  'POST / HT',
];

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

function head(method: string, ...headers: string[]): string {
  return [`${method} / HTTP/1.1`, 'Host: 127.0.0.1', ...headers, '', ''].join('\r\n');
}

function sizedPost(size: number) {
  return [head('POST', `Content-Length: ${size}`), new Uint8Array(size)];
}

/** In two chunks where there is enough for two. */
function chunkedPost(size: number) {
  const sizes = [Math.floor(size / 2), Math.ceil(size / 2)].filter((each) => each > 0);
  const chunks = sizes.flatMap((each) => [
    `${each.toString(16)}\r\n`,
    new Uint8Array(each),
    '\r\n',
  ]);
  return [head('POST', 'Transfer-Encoding: chunked'), ...chunks, '0\r\n\r\n'];
}

/**
 * Sends one request and resolves with its answer, which ends with its head where the body is empty.
 */
async function exchange(socket: Socket, ...parts: (string | Uint8Array)[]) {
  for (const part of parts) socket.write(part);
  let text = '';
  while (!text.endsWith('\r\n\r\n')) text += (await once(socket, 'data'))[0].toString('latin1');
  const header = (name: string) => new RegExp(`^${name}: (.*)\r$`, 'im').exec(text)?.[1] ?? null;
  return {
    status: Number(text.split(' ')[1]),
    length: header('content-length'),
    size: header('x-body-size'),
  };
}
