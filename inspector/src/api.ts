// What `@opentelemetry/api` uses from now on.

import { context, diag, metrics, propagation, ROOT_CONTEXT, type TextMapPropagator, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  CompositePropagator,
  getStringListFromEnv,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import type { Providers } from './providers.ts';

/** Knows which span is current. All inspectors of a process share it, since the API knows only one. */
export const contexts = new AsyncLocalStorageContextManager();

/** Registers the SDK. What another library has registered before stays. */
export function register({ tracerProvider, meterProvider }: Providers, propagator: TextMapPropagator): void {
  const probe = ROOT_CONTEXT.setValue(Symbol('probe'), true);
  const registered = {
    'context manager':
      contexts.with(probe, () => context.active() === probe) || context.setGlobalContextManager(contexts),
    'tracer provider': trace.setGlobalTracerProvider(tracerProvider),
    'meter provider': metrics.setGlobalMeterProvider(meterProvider),
    propagator: propagation.setGlobalPropagator(propagator),
  };
  for (const [part, isOwn] of Object.entries(registered))
    if (!isOwn) diag.warn(`Another ${part} is registered, and stays. Requests are traced, but without what it gets.`);
}

/** Creates what `OTEL_PROPAGATORS` names: trace context and baggage unless it says otherwise. */
export function createPropagator(): TextMapPropagator {
  const names = listFromEnv('OTEL_PROPAGATORS', ['tracecontext', 'baggage', 'none'], ['tracecontext', 'baggage']);
  const propagators = [];
  if (names.includes('tracecontext')) propagators.push(new W3CTraceContextPropagator());
  if (names.includes('baggage')) propagators.push(new W3CBaggagePropagator());
  return new CompositePropagator({ propagators });
}

/** Returns the known names in a variable that the SDK leaves to whoever puts its parts together. */
export function listFromEnv(variable: string, known: string[], byDefault: string[]): string[] {
  const given = getStringListFromEnv(variable) ?? [];
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length > 0) diag.warn(`${variable}: ${unknown.join(', ')} is not known here, and is ignored`);
  return given.length > unknown.length ? given : byDefault;
}
