import { expect, test } from 'bun:test';
import { readUpTo } from './read-up-to.ts';

const CHUNK_BYTES = 4;

/** A body of chunks that counts how many of them were read. */
function countedBody(chunks: number) {
  const body = {
    chunksRead: 0,
    *[Symbol.iterator]() {
      for (let chunk = 0; chunk < chunks; chunk++) {
        body.chunksRead++;
        yield new Uint8Array(CHUNK_BYTES).fill(chunk);
      }
    },
  };
  return body;
}

test('a body within the limit is returned whole', async () => {
  const text = await readUpTo([Buffer.from('ab'), Buffer.from('cd')], 4);
  expect(text.toString()).toBe('abcd');
});

test('of a longer body, little more than the limit is kept, and the rest is read', async () => {
  const body = countedBody(1_000);
  const kept = await readUpTo(body, 10);
  expect(kept.length).toBeGreaterThan(10);
  expect(kept.length).toBeLessThanOrEqual(10 + CHUNK_BYTES);
  expect(body.chunksRead).toBe(1_000);
});
