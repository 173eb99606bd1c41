import { Hono } from 'hono';
import { createBurner } from './burn.ts';

// A server with a known extra cost: BURN_US µs of the thread's CPU time in each request.
const burn = createBurner(Number(process.env.BURN_US));
const app = new Hono();

app.get('/', (c) => {
  burn();
  return c.text('Hi');
});

export default app;
