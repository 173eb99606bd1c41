// What `@opentelemetry/api` uses from now on.

import * as api from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import * as core from '@opentelemetry/core';

/** Knows which span is current. All inspectors of a process share it, since the API knows only one. */
export const contexts = new AsyncLocalStorageContextManager();

/** Whether nothing is ever to be active. */
export const isDisabled = () => process.env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true';

/** Registers the SDK. What another library has registered before stays. */
export function register(
  traces: api.TracerProvider,
  metrics: api.MeterProvider,
  propagator: api.TextMapPropagator,
): void {
  const probe = api.ROOT_CONTEXT.setValue(Symbol('probe'), true);
  const isRegistered = contexts.with(probe, () => api.context.active() === probe);
  const areOwn = [
    isRegistered || api.context.setGlobalContextManager(contexts),
    api.trace.setGlobalTracerProvider(traces),
    api.metrics.setGlobalMeterProvider(metrics),
    api.propagation.setGlobalPropagator(propagator),
  ];
  if (areOwn.includes(false)) api.diag.warn('Another SDK is registered: what uses the API goes there, not here');
}

/** Creates what `OTEL_PROPAGATORS` names: trace context and baggage unless it says otherwise. */
export function createPropagator(): core.CompositePropagator {
  const names = listFromEnv('OTEL_PROPAGATORS', ['tracecontext', 'baggage', 'none'], ['tracecontext', 'baggage']);
  const propagators: api.TextMapPropagator[] = [];
  if (names.includes('tracecontext')) propagators.push(new core.W3CTraceContextPropagator());
  if (names.includes('baggage')) propagators.push(new core.W3CBaggagePropagator());
  return new core.CompositePropagator({ propagators });
}

/** Returns the known names in a variable that the SDK leaves to whoever puts its parts together. */
export function listFromEnv(variable: string, known: string[], byDefault: string[]): string[] {
  const given = core.getStringListFromEnv(variable) ?? [];
  const unknown = given.filter((name) => !known.includes(name));
  const names = given.length > unknown.length ? given : byDefault;
  if (unknown.length > 0) api.diag.warn(`${variable}: ${unknown} is not known here. In its place: ${names}`);
  return names;
}
