import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';

/** Knows which span is current. All inspectors of a process share it, since the API knows only one. */
export const contexts = new AsyncLocalStorageContextManager().enable();
