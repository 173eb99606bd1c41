// The variables of OpenTelemetry that the SDK's parts leave to whoever puts them together.

import { diag, type TextMapPropagator } from '@opentelemetry/api';
import {
  CompositePropagator,
  getBooleanFromEnv,
  getStringListFromEnv,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';

const propagators: Record<string, () => TextMapPropagator> = {
  tracecontext: () => new W3CTraceContextPropagator(),
  baggage: () => new W3CBaggagePropagator(),
};

/** Whether `OTEL_SDK_DISABLED` asks for nothing to be recorded. */
export function isDisabled(): boolean {
  return getBooleanFromEnv('OTEL_SDK_DISABLED') ?? false;
}

/** Whether a signal is sent by OTLP, which is the default, or not at all. */
export function isExported(signal: 'TRACES' | 'METRICS'): boolean {
  return namesIn(`OTEL_${signal}_EXPORTER`, ['otlp', 'none'], ['otlp']).includes('otlp');
}

/** What `OTEL_PROPAGATORS` names: trace context and baggage unless it says otherwise. */
export function createPropagator(): TextMapPropagator {
  const known = Object.keys(propagators);
  const names = namesIn('OTEL_PROPAGATORS', [...known, 'none'], known);
  return new CompositePropagator({ propagators: names.flatMap((name) => propagators[name]?.() ?? []) });
}

function namesIn(variable: string, known: string[], byDefault: string[]): string[] {
  const given = getStringListFromEnv(variable) ?? [];
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length > 0) diag.warn(`${variable}: ${unknown.join(', ')} is not known here, and is ignored`);
  const names = given.filter((name) => known.includes(name));
  return names.length > 0 ? [...new Set(names)] : byDefault;
}
