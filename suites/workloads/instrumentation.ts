import { Inspector, type InspectorOptions, type TransformRule } from '@tracetax/inspector';
import type { Settings } from './settings.ts';

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

/** An inspector of traces and metrics, and of bodies unless the configuration is `traces`. If it is `disabled`, it is switched off. */
export function createInspector(settings: Settings, spanExporter: InspectorOptions['spanExporter']): Inspector {
  const inspector = new Inspector({
    ...(spanExporter && { spanExporter }),
    ...(settings.configuration !== 'traces' && {
      bodies: settings.configuration === 'transforms' ? { transforms: TRANSFORMS } : {},
    }),
  });
  if (settings.configuration === 'disabled') inspector.deactivate();
  return inspector;
}

/** Where spans go; undefined for what the inspector does itself. Code that another exporter needs is not loaded. */
export async function spanExporterOf({ exporter }: Settings): Promise<InspectorOptions['spanExporter']> {
  if (exporter === 'own') return undefined;
  if (exporter === 'counting') return new (await import('./counting-exporter.ts')).CountingSpanExporter();
  const { FileSpanExporter } = await import('./file-exporter.ts');
  const { temporaryFolder } = await import('./temporary-folder.ts');
  return new FileSpanExporter(`${temporaryFolder()}/spans.jsonl`);
}
