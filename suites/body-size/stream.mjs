import { Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { serve } from './serve.mjs';

// A Transform that measures what it passes on, as one would put in front of a parser or a file.
serve(async (request) => {
  let size = 0;
  const meter = new Transform({
    transform(chunk, _encoding, done) {
      size += chunk.length;
      done(null, chunk);
    },
  });
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  await pipeline(request, meter, sink);
  return size;
});
