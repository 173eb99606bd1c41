/**
 * Every protocol by which tracers export is one file here, and one entry in the list below. A
 * protocol takes the payload of a request and returns the spans, data points, log records and
 * profiles in it. Who keeps or counts them is not decided here.
 */
import { datadog } from './datadog.ts';
import { elastic } from './elastic.ts';
import { otlp } from './otlp.ts';
import { pprof } from './pprof.ts';
import type { Protocol } from './protocol.ts';
import { sentry } from './sentry.ts';

export const PROTOCOLS: Protocol[] = [otlp, sentry, datadog, elastic, pprof];
