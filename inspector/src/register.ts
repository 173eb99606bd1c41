import { context, diag, metrics, propagation, ROOT_CONTEXT, type TextMapPropagator, trace } from '@opentelemetry/api';
import { contexts } from './contexts.ts';
import type { Providers } from './providers.ts';

/** Makes the SDK what `@opentelemetry/api` uses. What another library has registered before stays. */
export function register({ tracerProvider, meterProvider }: Providers, propagator: TextMapPropagator): void {
  const registered = {
    'context manager': isOwnContextManager() || context.setGlobalContextManager(contexts),
    'tracer provider': trace.setGlobalTracerProvider(tracerProvider),
    'meter provider': metrics.setGlobalMeterProvider(meterProvider),
    propagator: propagation.setGlobalPropagator(propagator),
  };
  for (const [part, isOwn] of Object.entries(registered)) {
    if (!isOwn) diag.warn(`Another ${part} is registered: requests are traced, but what uses the API goes elsewhere`);
  }
}

/** All inspectors share their context manager, and another one may have registered it. */
function isOwnContextManager(): boolean {
  const probe = ROOT_CONTEXT.setValue(Symbol('probe'), true);
  return contexts.with(probe, () => context.active() === probe);
}
