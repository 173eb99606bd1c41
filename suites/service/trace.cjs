// Loaded before the server, as in OpenTelemetry's documentation: `$INSTRUMENT` names what is instrumented.
const { NodeSDK } = require('@opentelemetry/sdk-node');

const KNOWN = {
  http: () => new (require('@opentelemetry/instrumentation-http').HttpInstrumentation)(),
  pg: () => new (require('@opentelemetry/instrumentation-pg').PgInstrumentation)(),
  undici: () => new (require('@opentelemetry/instrumentation-undici').UndiciInstrumentation)(),
  pino: () => new (require('@opentelemetry/instrumentation-pino').PinoInstrumentation)(),
};
const instrumentations = process.env.INSTRUMENT.split(',').map((name) => KNOWN[name]());
const sdk = new NodeSDK({ instrumentations });

sdk.start();
process.on('SIGTERM', () => void sdk.shutdown().finally(() => process.exit()));
