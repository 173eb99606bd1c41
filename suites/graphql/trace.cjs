// Loaded before the server, as in OpenTelemetry's documentation: `$SDK` names the folder with its
// packages. `$GRAPHQL` has the options of the instrumentation of GraphQL; without it, there is none.
const { createRequire } = require('node:module');

const { GRAPHQL, SDK } = process.env;
const load = createRequire(`${__dirname}/${SDK}/`);
const { HttpInstrumentation } = load('@opentelemetry/instrumentation-http');
const { GraphQLInstrumentation } = load('@opentelemetry/instrumentation-graphql');
const { NodeSDK } = load('@opentelemetry/sdk-node');

const instrumentations = [new HttpInstrumentation()];
if (GRAPHQL) instrumentations.push(new GraphQLInstrumentation(JSON.parse(GRAPHQL)));
const sdk = new NodeSDK({ instrumentations });

sdk.start();
process.on('SIGTERM', () => void sdk.shutdown().finally(() => process.exit()));
