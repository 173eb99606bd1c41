import { serve } from './serve.mjs';
import { toWebStream } from './web-streams.mjs';

// Measures nothing: what the web streams alone cost.
serve((request) => toWebStream(request).pipeTo(new WritableStream()));
