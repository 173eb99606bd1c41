import { Inspector } from '@tracetax/inspector';
import { Hono } from 'hono';

// Full tracing, and in each request SPANS spans, each nested in the one before.
const spans = Number(process.env.SPANS ?? 0);

const inspector = new Inspector();
const { traces } = inspector.instruments;
const app = new Hono();

const nested = (left: number, answer: () => Response): Response =>
  left > 0 ? traces.trace('span', () => nested(left - 1, answer)) : answer();
app.get('/', (c) => nested(spans, () => c.text('Hi')));

export default inspector.instrument(app);
