// As in the README of @fastify/otel, which adds itself to the app that is made later, and wants the HTTP instrumentation
// beside it.
const { FastifyOtelInstrumentation } = require('@fastify/otel');
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http');
const { NodeSDK } = require('@opentelemetry/sdk-node');

const fastify = new FastifyOtelInstrumentation({ registerOnInitialization: true });
const sdk = new NodeSDK({ instrumentations: [new HttpInstrumentation(), fastify] });
sdk.start();
process.on('SIGTERM', () => void sdk.shutdown().finally(() => process.exit()));
