import { createCipheriv } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import writeFileAtomic from 'write-file-atomic';

const CACHE = resolve(import.meta.dir, '../../.cache/body-size');

/**
 * Path of a file of that many pseudo-random bytes, which no layer can compress away; always the same ones. Made where
 * it is not there yet.
 */
export async function bodyFile(bytes: number, folder = CACHE): Promise<string> {
  const path = join(folder, `${bytes}.bin`);
  const found = await stat(path).catch(() => undefined);
  if (found?.size === bytes) return path;
  await mkdir(folder, { recursive: true });
  // The key stream of AES.
  const stream = createCipheriv('aes-128-ctr', new Uint8Array(16), new Uint8Array(16));
  await writeFileAtomic(path, stream.update(new Uint8Array(bytes)));
  return path;
}
