// As on https://elysiajs.com/patterns/opentelemetry.html.
import { opentelemetry } from '@elysiajs/opentelemetry';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { Elysia } from 'elysia';

new Elysia()
  .use(opentelemetry({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] }))
  .get('/', () => 'Hi')
  .listen(process.env.PORT);
