import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';

const CHUNK_BYTES = 1024 * 1024;
const SEED = 0x2545f491;

const CACHE = resolve(import.meta.dir, '../../.cache/body-size');

/**
 * Path of a file of that many pseudo-random bytes, which no layer can compress away; always the same ones. Made where
 * it is not there yet.
 */
export async function bodyFile(bytes: number, folder = CACHE): Promise<string> {
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw new RangeError(`${bytes} is not a number of bytes`);
  const path = join(folder, `${bytes}.bin`);
  if ((await sizeOf(path)) === bytes) return path;
  await mkdir(folder, { recursive: true });
  // Renamed once complete, so that nobody reads half a file; a name of its own, since two runs may make it at once.
  const unfinished = `${path}.${randomUUID()}.tmp`;
  try {
    await pipeline(chunks(bytes), createWriteStream(unfinished));
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
  return path;
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch {
    return undefined;
  }
}

/** The bytes of xorshift32, in chunks: a large body is never whole in memory. */
function* chunks(bytes: number): Generator<Uint8Array> {
  let value = SEED;
  for (let done = 0; done < bytes; done += CHUNK_BYTES) {
    // A new one each time, since the one before may not be written yet.
    const words = new Uint32Array(CHUNK_BYTES / 4);
    for (let index = 0; index < words.length; index++) {
      value ^= value << 13;
      value ^= value >>> 17;
      value ^= value << 5;
      words[index] = value;
    }
    yield new Uint8Array(words.buffer, 0, Math.min(CHUNK_BYTES, bytes - done));
  }
}
