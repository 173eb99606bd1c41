import { expect, test } from 'bun:test';
import { AnswerReader } from './answer-reader.ts';

/** What an answer tells that comes in one piece, and in pieces of one byte. */
function read(text: string, isOfHead = false) {
  return [text.length, 1].map((size) => {
    const reader = new AnswerReader(isOfHead);
    for (let from = 0; from < text.length; from += size) {
      expect(reader.isComplete).toBe(false);
      reader.push(Buffer.from(text.slice(from, from + size)));
    }
    const { isComplete, announcesClose, endsWithConnection } = reader;
    return { isComplete, announcesClose, endsWithConnection };
  });
}

const OK = 'HTTP/1.1 200 OK\r\n';
const KEPT = { isComplete: true, announcesClose: false, endsWithConnection: false };

test.each([
  ['a length', `${OK}Content-Length: 2\r\n\r\nHi`, KEPT],
  ['chunks', `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nHi\r\n0\r\n\r\n`, KEPT],
  ['no chunk but the last', `${OK}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, KEPT],
  ['no body by its status', 'HTTP/1.1 204 No Content\r\n\r\n', KEPT],
  ['an interim answer before', `HTTP/1.1 103 x\r\n\r\n${OK}Content-Length: 0\r\n\r\n`, KEPT],
  [
    'a close that is announced',
    `${OK}Content-Length: 0\r\nconnection: Close\r\n\r\n`,
    { ...KEPT, announcesClose: true },
  ],
  [
    'a version that keeps nothing',
    'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n',
    { ...KEPT, announcesClose: true },
  ],
  [
    'a version that keeps nothing unless it says so',
    'HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n',
    KEPT,
  ],
  [
    'a body that ends with the connection',
    `${OK}\r\nHi`,
    { isComplete: false, announcesClose: false, endsWithConnection: true },
  ],
])('an answer with %s', (_, text, expected) => {
  expect(read(text)).toEqual([expected, expected]);
});

test('an answer to HEAD has no body, whatever length it tells', () => {
  expect(read(`${OK}Content-Length: 2\r\n\r\n`, true)).toEqual([KEPT, KEPT]);
});
