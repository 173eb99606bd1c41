const { serve } = require('@hono/node-server');
const { Hono } = require('hono');

const app = new Hono();

app.get('/', (c) => c.text('Hi'));
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: process.env.HOST });
