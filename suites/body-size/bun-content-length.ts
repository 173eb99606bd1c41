import { serve } from './serve-bun.ts';

// What the client says, the body left unread: the lower bound. Of a chunked body the client says
// nothing.
export default serve((request) => {
  const length = request.headers.get('content-length');
  return length === null ? undefined : Number(length);
});
