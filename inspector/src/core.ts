// What is used of @opentelemetry/core, file by file. As a whole it loads the semantic conventions too: then a server on Bun
// held 4 MB more, and each collection of garbage looked at 5,000 more objects.

export { parseKeyPairsIntoRecord } from '@opentelemetry/core/build/src/baggage/utils.js';
export { isAttributeValue, sanitizeAttributes } from '@opentelemetry/core/build/src/common/attributes.js';
export { type ExportResult, ExportResultCode } from '@opentelemetry/core/build/src/ExportResult.js';
export { isTracingSuppressed, suppressTracing } from '@opentelemetry/core/build/src/trace/suppress-tracing.js';
export { W3CTraceContextPropagator } from '@opentelemetry/core/build/src/trace/W3CTraceContextPropagator.js';
export { callWithTimeout } from '@opentelemetry/core/build/src/utils/timeout.js';
export { VERSION } from '@opentelemetry/core/build/src/version.js';
