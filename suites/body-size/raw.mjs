import { finished } from 'node:stream/promises';
import { serve } from './serve.mjs';

// `data` events: the least that node:http can do to read a body.
serve(async (request) => {
  let size = 0;
  request.on('data', (chunk) => {
    size += chunk.length;
  });
  await finished(request);
  return size;
});
