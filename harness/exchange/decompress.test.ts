import { expect, test } from 'bun:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { decompress } from './decompress.ts';

const TEXT = 'x'.repeat(1_000);
const PLAIN = new TextEncoder().encode(TEXT);

test.each([
  ['identity', PLAIN],
  ['gzip', gzipSync(PLAIN)],
  ['deflate', deflateSync(PLAIN)],
  ['br', brotliCompressSync(PLAIN)],
])('a body in the encoding %s is as it was before', (encoding, body) => {
  expect(new TextDecoder().decode(decompress(body, encoding, TEXT.length))).toBe(TEXT);
});

test('an encoding that is not known gives nothing', () => {
  expect(decompress(PLAIN, 'zstd', TEXT.length)).toBeUndefined();
  expect(decompress(PLAIN, 'constructor', TEXT.length)).toBeUndefined();
});

test('a small body that holds more than is allowed is an error, and so is one that is not encoded', () => {
  expect(() => decompress(gzipSync(PLAIN), 'gzip', TEXT.length - 1)).toThrow();
  expect(() => decompress(PLAIN, 'gzip', TEXT.length)).toThrow();
});
