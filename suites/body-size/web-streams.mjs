import { finished } from 'node:stream/promises';

/**
 * @typedef {import('node:http').IncomingMessage} IncomingMessage
 */

/**
 * The body as a web stream that holds no more than its high-water mark. Not `Readable.toWeb`: that
 * differs between runtimes, and Node's copies each chunk and takes the mark, in bytes, for a number
 * of chunks.
 * @param {IncomingMessage} request
 * @param {QueuingStrategy<Uint8Array>} [strategy] left out, one chunk
 * @returns {ReadableStream<Uint8Array>}
 */
export function toWebStream(request, strategy) {
  return new ReadableStream(
    {
      start(controller) {
        request.on('data', (chunk) => {
          controller.enqueue(chunk);
          if ((controller.desiredSize ?? 0) <= 0) request.pause();
        });
        finished(request).then(
          () => controller.close(),
          (error) => controller.error(error),
        );
      },
      pull() {
        request.resume();
      },
      cancel() {
        request.destroy();
      },
    },
    strategy,
  );
}

/**
 * The size of the body, found by a TransformStream that passes it on to a sink that drops it.
 * @param {IncomingMessage} request
 * @param {QueuingStrategy<Uint8Array>} [strategy] of every queue up to the sink; left out, each has
 * its default
 * @returns {Promise<number>}
 */
export async function measureThroughTransform(request, strategy) {
  let size = 0;
  const meter = new TransformStream(
    {
      transform(chunk, controller) {
        size += chunk.byteLength;
        controller.enqueue(chunk);
      },
    },
    strategy,
    strategy,
  );
  await toWebStream(request, strategy).pipeThrough(meter).pipeTo(new WritableStream());
  return size;
}
