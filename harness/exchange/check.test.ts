import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { checkAnswer, NoWholeAnswer, WrongAnswer } from './check.ts';
import { answerSchema, requestSchema } from './request-schema.ts';

/** Asks a server for `/`, and expects that answer. Resolves with its body. */
async function check(server: Server, expected = {}): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const exchange = { request: requestSchema.parse({}), answer: answerSchema.parse(expected) };
  return checkAnswer({ name: 'x' }, `http://127.0.0.1:${port}`, exchange).finally(() =>
    server.close(),
  );
}

const checkAnswerOf = (listener: RequestListener, expected = {}) =>
  check(createServer(listener), expected);

const createHo: RequestListener = (_, response) => {
  response.writeHead(201, { 'content-type': 'text/html; charset=utf-8' }).end('Ho');
};

test('the expected answer is returned', async () => {
  const expected = { status: 201, body: 'Ho', mediaType: 'text/html' };
  expect(await checkAnswerOf(createHo, expected)).toBe('Ho');
});

test.each([
  ['status', {}, 'status: expected 200, received 201', ''],
  [
    'media type',
    { status: 201, mediaType: 'text/plain' },
    'media type',
    ': expected "text/plain", received "text/html"',
  ],
  ['body', { status: 201, body: 'Hi' }, 'body', ': expected "Hi", received "Ho"'],
  [
    'header',
    { status: 201, headers: { 'x-size': '5' } },
    'header x-size',
    ': expected "5", received "no such header"',
  ],
])(
  'a wrong %s is told, and no file keeps what an answer says',
  async (_, expected, kept, shown) => {
    const error = await checkAnswerOf(createHo, expected).catch((reason) => reason);
    expect(error).toBeInstanceOf(WrongAnswer);
    expect(error).toMatchObject({
      message: `Scenario x gave a wrong answer: GET /: ${kept}`,
      shown,
      status: 201,
    });
  },
);

test('an answer may have headers of 64 kB', async () => {
  const long: RequestListener = (_, response) => {
    response.writeHead(200, { 'x-long': 'x'.repeat(65_536) }).end();
  };
  expect(await checkAnswerOf(long)).toBe('');
});

test('a compressed answer of more than 1 MiB is an answer', async () => {
  const body = gzipSync(randomBytes(3 << 20), { level: 0 });
  const long: RequestListener = (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(body);
  };
  expect((await checkAnswerOf(long)).length).toBeGreaterThan(1_000_000);
});

test('a server that breaks off in the middle of its answer did not answer', async () => {
  const breakingOff = createTcpServer((socket) =>
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nHi');
      setTimeout(() => socket.destroy(), 20);
    }),
  );
  const error = await check(breakingOff).catch((reason) => reason);
  expect(error).toBeInstanceOf(NoWholeAnswer);
  expect(error.message).toStartWith('Scenario x did not answer: ');
});
