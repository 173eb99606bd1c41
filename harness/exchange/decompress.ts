import { brotliDecompressSync, unzipSync } from 'node:zlib';

/**
 * Returns the body as it was before it was compressed, by the encodings that clients and servers of
 * HTTP know (RFC 9110, Content-Encoding); undefined if the encoding is none of them.
 * @throws Error if the body is not in that encoding, or if it holds more than `maxBytes`
 */
export function decompress(
  body: Uint8Array,
  encoding: string,
  maxBytes: number,
): Uint8Array | undefined {
  const limit = { maxOutputLength: maxBytes };
  switch (encoding) {
    case 'identity':
      return body;
    case 'gzip':
    case 'deflate':
      return unzipSync(body, limit);
    case 'br':
      return brotliDecompressSync(body, limit);
    default:
      return undefined;
  }
}
