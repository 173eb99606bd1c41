// As on
// https://docs.datadoghq.com/tracing/trace_collection/automatic_instrumentation/dd_libraries/nodejs/:
// the tracer first. It is told by the environment where its agent is.
import 'dd-trace/init.js';
import { Hono } from 'hono';

const app = new Hono();

app.get('/', (c) => c.text('Hi'));

export default app;
