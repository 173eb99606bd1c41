// What is used of @opentelemetry/core. All of it would enlarge the heap by 0.5 MB and the resident memory by 3.4 MB.

export { parseKeyPairsIntoRecord } from '@opentelemetry/core/build/src/baggage/utils.js';
export { isAttributeValue, sanitizeAttributes } from '@opentelemetry/core/build/src/common/attributes.js';
export { type ExportResult, ExportResultCode } from '@opentelemetry/core/build/src/ExportResult.js';
export { isTracingSuppressed, suppressTracing } from '@opentelemetry/core/build/src/trace/suppress-tracing.js';
export { W3CTraceContextPropagator } from '@opentelemetry/core/build/src/trace/W3CTraceContextPropagator.js';
export { callWithTimeout } from '@opentelemetry/core/build/src/utils/timeout.js';
export { VERSION } from '@opentelemetry/core/build/src/version.js';
