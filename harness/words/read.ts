import { readdirSync, readFileSync } from 'node:fs';

/** What is read, or undefined if it is not there: other systems have no /proc, and a process may just have ended. */
export function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The text of a file; undefined if it is not there. */
export function readText(file: string): string | undefined {
  return ifThere(() => readFileSync(file, 'utf8'));
}

/** The whole body, or a little more than so many bytes of a longer one, of which the rest is dropped. */
export async function startOf(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  bytes: number,
): Promise<Buffer> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    if (length <= bytes) kept.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(kept);
}

/** The names in a folder; none if it is not there. */
export function namesIn(folder: string): string[] {
  return ifThere(() => readdirSync(folder)) ?? [];
}
