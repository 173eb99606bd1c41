import type { Hono } from 'hono';
import { createEndpoints } from './endpoints.ts';
import { type Configuration, configurationFrom } from './settings.ts';

/** The service in the configuration asked for. */
export async function createApp(configuration: Configuration): Promise<Hono> {
  const app = createEndpoints();
  if (configuration === 'absent') return app;
  // Not imported at the top: merely having code loaded makes a server slower, and `absent` is the
  // baseline.
  const { createInspector } = await import('./instrumentation.ts');
  return createInspector(configuration).instrument(app);
}

function configurationOrExit(): Configuration {
  try {
    return configurationFrom(process.env);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

export default await createApp(configurationOrExit());
