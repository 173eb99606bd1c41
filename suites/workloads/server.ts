import type { Hono } from 'hono';
import { createEndpoints } from './endpoints.ts';
import { type Settings, settingsFrom } from './settings.ts';

/** The service in the configuration asked for. */
export async function createApp(settings: Settings): Promise<Hono> {
  const app = createEndpoints(settings.isCompressible);
  if (settings.configuration === 'absent') return app;
  // Not imported at the top: merely having code loaded makes a server slower, and `absent` is the baseline.
  const { createInspector, spanExporterOf } = await import('./instrumentation.ts');
  return createInspector(settings, await spanExporterOf(settings)).instrument(app);
}

function settingsOrExit(): Settings {
  try {
    return settingsFrom(process.env);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

export default await createApp(settingsOrExit());
