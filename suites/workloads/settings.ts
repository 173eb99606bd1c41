type Env = Record<string, string | undefined>;
export type Settings = ReturnType<typeof settingsFrom>;

/**
 * What the environment asks of the server.
 * @throws Error, in one line, if a variable has a value that it can't have.
 */
export function settingsFrom(env: Env) {
  return {
    configuration: oneOf(['absent', 'disabled', 'traces', 'active', 'transforms'], 'WORKLOAD', env, 'absent'),
    exporter: exporterFrom(env),
    /** Whether large payloads are words, not random base64. */
    isCompressible: env.WORKLOAD_COMPRESSIBLE === '1',
  };
}

/** `own`: that of the inspector, which does what the environment says. */
function exporterFrom(env: Env) {
  const exporter = oneOf(['counting', 'file', 'own'], 'WORKLOAD_EXPORTER', env, 'own');
  // Who sets an endpoint waits there for the spans: to prove what a configuration records.
  return env.OTEL_EXPORTER_OTLP_ENDPOINT ? 'own' : exporter;
}

function oneOf<const T extends string>(allowed: T[], variable: string, env: Env, fallback: T): T {
  const value = env[variable] ?? fallback;
  const found = allowed.find((each) => each === value);
  if (!found) throw new Error(`${variable} is "${value}", but must be one of ${allowed.join(', ')}`);
  return found;
}
