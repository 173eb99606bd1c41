// The same tracer, and Hono on node:http, which it observes.
import 'dd-trace/init.js';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const app = new Hono();

app.get('/', (c) => c.text('Hi'));

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: process.env.HOST });
