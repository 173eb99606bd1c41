// Loaded before the server, as in OpenTelemetry's documentation. `$LOGS`: lines stay as they are
// (`plain`), get the trace's id (`id`), or are sent, too (`sent`), which is the default of both
// instrumentations.
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http');
const { NodeSDK } = require('@opentelemetry/sdk-node');

const OF_LIBRARY = {
  pino: () => require('@opentelemetry/instrumentation-pino').PinoInstrumentation,
  winston: () => require('@opentelemetry/instrumentation-winston').WinstonInstrumentation,
};

/** Returns what instruments the library that logs. */
function ofLogs({ LIBRARY, LOGS }) {
  if (LOGS === 'plain') return [];
  const Instrumentation = OF_LIBRARY[LIBRARY]();
  return [new Instrumentation({ disableLogSending: LOGS === 'id' })];
}

const sdk = new NodeSDK({ instrumentations: [new HttpInstrumentation(), ...ofLogs(process.env)] });

sdk.start();
process.on('SIGTERM', () => void sdk.shutdown().finally(() => process.exit()));
