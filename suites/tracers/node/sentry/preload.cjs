// As on https://docs.sentry.io/platforms/javascript/guides/node/: a file that is loaded before the server.
const Sentry = require('@sentry/node');

Sentry.init({
  dsn: process.env.SENTRY_DSN,
  tracesSampleRate: Number(process.env.SAMPLED ?? 1),
  // How many envelopes may wait: 64 is the default.
  transportOptions: { bufferSize: Number(process.env.BUFFER_SIZE ?? 64) },
});
// Its page "Shutdown and Draining": what is left is sent before the process ends.
process.on('SIGTERM', () => void Sentry.close(2_000).finally(() => process.exit()));
