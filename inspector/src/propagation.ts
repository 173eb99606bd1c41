import type { SpanContext } from '@opentelemetry/api';
import { parseTraceParent, TRACE_PARENT_HEADER, TRACE_STATE_HEADER, TraceState } from '@opentelemetry/core';

/** Returns the caller's span from the W3C Trace Context headers. Undefined if they are missing or malformed. */
export function remoteParent(headers: Headers): SpanContext | undefined {
  const traceParent = headers.get(TRACE_PARENT_HEADER);
  if (traceParent === null) return undefined;
  const parent = parseTraceParent(traceParent);
  if (parent === null) return undefined;
  parent.isRemote = true;
  const traceState = headers.get(TRACE_STATE_HEADER);
  if (traceState) parent.traceState = new TraceState(traceState);
  return parent;
}
