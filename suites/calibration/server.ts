import { Hono } from 'hono';
import { createBurner } from './burn.ts';

// A server with known costs: in each request BASE_US µs of CPU time that the baseline has too, and BURN_US µs more.
const base = createBurner(Number(process.env.BASE_US));
const extra = createBurner(Number(process.env.BURN_US));
const app = new Hono();

app.get('/', (c) => {
  base.burn();
  extra.burn();
  return c.text('Hi');
});

// The probe asks for it before and after a measurement: docs/suites.md.
Object.assign(globalThis, { [Symbol.for('tracetax.trueCost')]: extra });

export default app;
