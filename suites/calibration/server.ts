import { Hono } from 'hono';
import { createAllocator } from './allocate.ts';
import { createBurner, tellTrueCost } from './burn.ts';

// A server with known costs: in each request BASE_US µs of CPU time that the baseline has too, and then BURN_US µs more, or
// objects for the garbage collector if EXTRA is "allocation".
const base = createBurner(Number(process.env.BASE_US));
const extra = process.env.EXTRA === 'allocation' ? createAllocator() : createBurner(Number(process.env.BURN_US));
const app = new Hono();

app.get('/', (c) => {
  base.spend();
  extra.spend();
  return c.text('Hi');
});

// Both, because no two servers burn the same for the base.
tellTrueCost([base, extra]);

export default app;
