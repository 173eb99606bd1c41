/**
 * Reads a body to its end, and returns what it begins with: the whole body, or at least `maxBytes`
 * of one that is longer, so that its length tells that it was. The rest is read, too, because
 * whoever sends it waits for that, and is dropped.
 */
export async function readUpTo(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer> {
  const kept: Uint8Array[] = [];
  let keptBytes = 0;
  for await (const chunk of body) {
    if (keptBytes > maxBytes) continue;
    kept.push(chunk);
    keptBytes += chunk.length;
  }
  return Buffer.concat(kept);
}
