import { serve } from './serve.mjs';
import { toWebStream } from './web-streams.mjs';

// What drops the chunks counts them: the least that web streams can do to read a body.
serve(async (request) => {
  let size = 0;
  const counter = new WritableStream({
    write(chunk) {
      size += chunk.byteLength;
    },
  });
  await toWebStream(request).pipeTo(counter);
  return size;
});
