// As in the README of @fastify/otel, which adds itself to the app that is made later.
const { FastifyOtelInstrumentation } = require('@fastify/otel');
const { NodeSDK } = require('@opentelemetry/sdk-node');

const sdk = new NodeSDK({ instrumentations: [new FastifyOtelInstrumentation({ registerOnInitialization: true })] });
sdk.start();
process.on('SIGTERM', () => void sdk.shutdown().finally(() => process.exit()));
