import { serve } from './serve-bun.ts';

// Chunk by chunk, by hand.
export default serve(async (request) => {
  // A request without a body has no stream either.
  if (!request.body) return 0;
  const reader = request.body.getReader();
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return size;
    size += value.byteLength;
  }
});
