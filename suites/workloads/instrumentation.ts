import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileSpanExporter, Inspector, type InspectorOptions, type TransformRule } from '@tracetax/inspector';
import { CountingSpanExporter } from './counting-exporter.ts';
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

/** An inspector of traces, metrics and bodies; switched off if the configuration is `disabled`. */
export function createInspector(settings: Settings, spanExporter = spanExporterOf(settings)): Inspector {
  const inspector = new Inspector({
    ...(spanExporter && { spanExporter }),
    bodies: settings.configuration === 'transforms' ? { transforms: TRANSFORMS } : {},
  });
  if (settings.configuration === 'disabled') inspector.deactivate();
  return inspector;
}

function spanExporterOf({ exporter }: Settings): InspectorOptions['spanExporter'] {
  if (exporter === 'own') return undefined;
  return exporter === 'file'
    ? new FileSpanExporter({ path: join(temporaryFolder(), 'spans.jsonl') })
    : new CountingSpanExporter();
}

/** A new folder that only its owner can enter. It is removed when the process ends, also by SIGTERM and SIGINT. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tracetax-spans-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      remove();
      process.kill(process.pid, signal);
    });
  }
  return folder;
}
