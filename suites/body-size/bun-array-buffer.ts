import { serve } from './serve-bun.ts';

// The whole body at once, in memory.
export default serve(async (request) => (await request.arrayBuffer()).byteLength);
