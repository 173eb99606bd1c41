import { serve } from './serve.mjs';
import { measureThroughTransform } from './web-streams.mjs';

// A TransformStream with the default queues: one chunk at a time.
serve((request) => measureThroughTransform(request));
