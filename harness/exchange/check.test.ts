import { describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { gzipSync } from 'node:zlib';
import { problemLine } from '../words/errors.ts';
import {
  type AnswerCheck,
  ClosedConnection,
  checkAnswer,
  EndlessAnswer,
  MistakenInterim,
  NoWholeAnswer,
  WrongAnswer,
} from './check.ts';
import { answerSchema, requestSchema } from './request-schema.ts';

/** Asks a server for `/`, and expects that answer. Resolves with its body. */
async function check(server: Server, expected = {}, how: AnswerCheck = {}): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const exchange = { request: requestSchema.parse({}), answer: answerSchema.parse(expected) };
  const origin = `http://127.0.0.1:${port}`;
  return checkAnswer({ name: 'x' }, origin, exchange, how).finally(() => server.close());
}

const checkAnswerOf = (listener: RequestListener, expected = {}, how: AnswerCheck = {}) =>
  check(createServer(listener), expected, how);

/** The line that says what is wrong with an answer, which may take a second. */
const wrongIn = (listener: RequestListener, more: AnswerCheck = {}) =>
  checkAnswerOf(listener, {}, { withinSeconds: 1, ...more }).catch(problemLine);

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
  expect(error).toBeInstanceOf(ClosedConnection);
  expect(error.message).toBe('Scenario x did not answer: GET /: it closed the connection');
});

describe('an answer that does not end', () => {
  const endless =
    /^Scenario x gives an answer without an end: GET \/ \(.*\): its headers came, then/;
  const choose = / choose a request that ends, in the "request" of the suite\.$/;

  test.each([
    ['a stream of events that goes on', 'text/event-stream', 20],
    ['an answer of which no more than the start came', 'text/html', 60_000],
  ])('%s', async (_, mediaType, everyMs) => {
    const said = await wrongIn((_, response) => {
      response.writeHead(200, { 'content-type': mediaType }).write('data: 1\n\n');
      const timer = setInterval(() => response.write('data: 2\n\n'), everyMs);
      response.on('close', () => clearInterval(timer));
    });
    expect(said).toMatch(endless);
    expect(said).toMatch(choose);
  });

  test('one of which nothing came but the headers', async () => {
    const said = await wrongIn((_, response) => response.flushHeaders());
    expect(said).toMatch(endless);
  });

  test('one that a close would end, which never comes', async () => {
    const sockets: Socket[] = [];
    const open = createTcpServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => {}).write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\nHi');
    });
    const said = await check(open, {}, { withinSeconds: 1 }).catch(problemLine);
    for (const socket of sockets) socket.destroy();
    expect(said).toMatch(endless);
  });

  test('one that is shorter than it says is not endless', async () => {
    const said = await wrongIn((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('Hi');
    });
    expect(said).toContain(
      'did not end its answer: GET / (no media type): its headers came, and 2',
    );
    expect(said).toContain('of 100 bytes');
    expect(said).toContain('Content-Length');
  });

  test('no answer at all is none of these, and a remedy says what to do next', async () => {
    const said = await wrongIn(() => {});
    expect(said).toStartWith('Scenario x did not answer: no answer within 1 s. See by hand');
  });

  test('it is no whole answer, so a busy server may be late with it', () => {
    expect(new EndlessAnswer('x', '')).toBeInstanceOf(NoWholeAnswer);
  });
});

describe('an interim answer', () => {
  const hinting: RequestListener = (_, response) => {
    response.writeEarlyHints({ link: '</a.css>; rel=preload' }, () => response.end('Hi'));
  };

  test('is told if whoever makes the load takes it for the answer', async () => {
    const interimRemedy = (status: number) => `Use another than ${status}`;
    const error = await checkAnswerOf(hinting, {}, { interimRemedy }).catch((reason) => reason);
    expect(error).toBeInstanceOf(MistakenInterim);
    expect(problemLine(error)).toBe(
      'Scenario x sends an interim answer: GET /: 103 comes before 200, and the load tool takes it ' +
        'for the answer. Use another than 103.',
    );
  });

  test('does not matter to others: the final one is checked', async () => {
    expect(await checkAnswerOf(hinting, { body: 'Hi' })).toBe('Hi');
    const onlyOf100 = (status: number) => (status === 100 ? 'Use another' : undefined);
    expect(await checkAnswerOf(hinting, {}, { interimRemedy: onlyOf100 })).toBe('Hi');
  });
});

test('a redirect says where it leads, on the terminal alone', async () => {
  const error = await checkAnswerOf((_, response) => {
    response.writeHead(302, { location: '/login?next=secret' }).end();
  }).catch((reason) => reason);
  expect(error.message).not.toContain('login');
  expect(problemLine(error)).toMatch(
    /expected 200, received 302, which leads to "\/login\?next=secret"\. Ask for the path where/,
  );
});
