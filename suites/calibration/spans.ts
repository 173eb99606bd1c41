import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';

const SPANS = 10;

// Without a processor, spans are made, ended and dropped.
const tracer = new BasicTracerProvider().getTracer('calibration');

/** What an SDK does for its spans, and nothing of what hangs on a request. */
export function makeSpans(): void {
  for (let count = 0; count < SPANS; count++) {
    const span = tracer.startSpan('work');
    span.setAttribute('http.request.method', 'GET');
    span.setAttribute('count', count);
    span.end();
  }
}
