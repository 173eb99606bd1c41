import { Hono } from 'hono';
import { allocate } from './allocate.ts';
import { createBurner, tellTrueCost } from './burn.ts';
import { createLoop } from './loop.ts';

// A server with known costs: in each request BASE_US µs of CPU time that the baseline has too, and
// then BURN_US µs more, or what EXTRA names: objects for the garbage collector, or spans of
// OpenTelemetry's SDK.
const base = createBurner(Number(process.env.BASE_US));
// The package does not bring OpenTelemetry's SDK.
const makeSpans =
  process.env.EXTRA === 'spans' ? (await import('./spans.ts')).makeSpans : undefined;
const call = process.env.EXTRA === 'allocation' ? allocate : makeSpans;
const extra = call ? createLoop(call) : createBurner(Number(process.env.BURN_US));
const app = new Hono();

app.get('/', (c) => {
  base.spend();
  extra.spend();
  return c.text('Hi');
});

// Both, because no two servers burn the same for the base.
tellTrueCost([base, extra]);

export default app;
