// What `@opentelemetry/api` uses from now on.

import { context, diag, metrics, propagation, ROOT_CONTEXT, type TextMapPropagator, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import * as core from '@opentelemetry/core';
import type { Providers } from './providers.ts';

/** Knows which span is current. All inspectors of a process share it, since the API knows only one. */
export const contexts = new AsyncLocalStorageContextManager();

/** Registers the SDK. What another library has registered before stays. */
export function register({ tracerProvider, meterProvider }: Providers, propagator: TextMapPropagator): void {
  const probe = ROOT_CONTEXT.setValue(Symbol('probe'), true);
  const isRegistered = contexts.with(probe, () => context.active() === probe);
  const areOwn = [
    isRegistered || context.setGlobalContextManager(contexts),
    trace.setGlobalTracerProvider(tracerProvider),
    metrics.setGlobalMeterProvider(meterProvider),
    propagation.setGlobalPropagator(propagator),
  ];
  if (areOwn.includes(false))
    diag.warn('Another SDK is registered: what uses the API goes there, not to the inspector');
}

/** Creates what `OTEL_PROPAGATORS` names: trace context and baggage unless it says otherwise. */
export function createPropagator(): core.CompositePropagator {
  const names = listFromEnv('OTEL_PROPAGATORS', ['tracecontext', 'baggage', 'none'], ['tracecontext', 'baggage']);
  const propagators: TextMapPropagator[] = [];
  if (names.includes('tracecontext')) propagators.push(new core.W3CTraceContextPropagator());
  if (names.includes('baggage')) propagators.push(new core.W3CBaggagePropagator());
  return new core.CompositePropagator({ propagators });
}

/** Returns the known names in a variable that the SDK leaves to whoever puts its parts together. */
export function listFromEnv(variable: string, known: string[], byDefault: string[]): string[] {
  const given = core.getStringListFromEnv(variable) ?? [];
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length > 0) diag.warn(`${variable}: ${unknown.join(', ')} is not known here, and is ignored`);
  return given.length > unknown.length ? given : byDefault;
}
