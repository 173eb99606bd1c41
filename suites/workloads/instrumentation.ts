import { Inspector, type TransformRule } from '@tracetax/inspector';
import type { Configuration } from './settings.ts';

const login = { method: 'POST', path: '/api/auth/login' } as const;
const users = { method: 'POST', path: '/api/users' } as const;

/** What must not be recorded as it is, on its way in and out. */
export const TRANSFORMS: TransformRule[] = [
  { ...login, direction: 'request', jsonPath: '$.password', action: 'redact' },
  { ...login, direction: 'response', jsonPath: '$.token', action: 'redact' },
  { ...users, direction: 'request', jsonPath: '$.ssn', action: 'mask' },
  { ...users, direction: 'request', jsonPath: '$.creditCard', action: 'redact' },
  { ...users, direction: 'response', jsonPath: '$.profile.ssn', action: 'mask' },
  { ...users, direction: 'response', jsonPath: '$.profile.creditCard', action: 'redact' },
];

/**
 * An inspector of traces and metrics, and of bodies unless the configuration is `traces`. If it is
 * `disabled`, it is switched off.
 */
export function createInspector(configuration: Configuration): Inspector {
  const bodies = configuration === 'transforms' ? { transforms: TRANSFORMS } : {};
  const inspector = new Inspector(configuration === 'traces' ? {} : { bodies });
  if (configuration === 'disabled') inspector.deactivate();
  return inspector;
}
