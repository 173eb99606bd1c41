import { serve } from './serve.mjs';
import { measureThroughTransform } from './web-streams.mjs';

// As web.mjs, but each queue takes up to 1 MiB before the one in front of it has to wait.
const strategy = new ByteLengthQueuingStrategy({ highWaterMark: 1024 * 1024 });

serve((request) => measureThroughTransform(request, strategy));
