import { Inspector } from '@tracetax/inspector';
import { Hono } from 'hono';

// Full tracing, and in each request SPANS spans, each nested in the one before. The last one gets ATTRIBUTES
// attributes.
const spans = Number(process.env.SPANS ?? 0);
const attributes = Array.from({ length: Number(process.env.ATTRIBUTES ?? 0) }, (_, index) => `attribute.${index + 1}`);

const inspector = new Inspector();
const { traces } = inspector.instruments;
const app = new Hono();

app.get('/', (c) => {
  const nested = (left: number): Response =>
    traces.trace('span', (span) => {
      if (left > 1) return nested(left - 1);
      for (const name of attributes) span.setAttribute(name, 'value');
      return c.text('Hi');
    });
  return spans > 0 ? nested(spans) : c.text('Hi');
});

export default inspector.instrument(app);
