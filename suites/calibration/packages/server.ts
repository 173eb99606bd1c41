import { Hono } from 'hono';
import { createBurner, tellTrueCost } from '../burn.ts';
import { spin as spinA } from './a/spin.ts';
import { spin as spinB } from './b/spin.ts';

// A server that burns known times in two packages: A_US and B_US µs in every request.
const burners = [
  createBurner(Number(process.env.A_US ?? 0), spinA),
  createBurner(Number(process.env.B_US ?? 0), spinB),
];
const app = new Hono();

app.get('/', (c) => {
  for (const burner of burners) burner.spend();
  return c.text('Hi');
});

tellTrueCost(burners);

export default app;
