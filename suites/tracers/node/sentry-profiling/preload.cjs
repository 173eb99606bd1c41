// As on https://docs.sentry.io/platforms/javascript/guides/node/profiling/, with the profiler or without.
const Sentry = require('@sentry/node');

const profiler = () => {
  const { nodeProfilingIntegration } = require('@sentry/profiling-node');
  return {
    integrations: [nodeProfilingIntegration()],
    profileSessionSampleRate: 1,
    profileLifecycle: 'trace',
  };
};

Sentry.init({
  dsn: process.env.SENTRY_DSN,
  tracesSampleRate: 1,
  // How many envelopes may wait: of 64, the default, profiles and spans are lost at full load.
  transportOptions: { bufferSize: 4096 },
  ...(process.env.PROFILES && profiler()),
});
// Its page "Shutdown and Draining": what is left is sent before the process ends.
process.on('SIGTERM', () => void Sentry.close(2_000).finally(() => process.exit()));
