// The SDK with this repository's layer for Hono. `$SPANS`: how many spans a request has, each nested in the one before.
import { Inspector } from '@tracetax/inspector';
import { Hono } from 'hono';

const SPANS = Number(process.env.SPANS ?? 1);
const inspector = new Inspector();
const { traces } = inspector.instruments;
const app = new Hono();

const nested = (number, answer) =>
  number > SPANS ? answer() : traces.trace(`span ${number}`, () => nested(number + 1, answer));
app.get('/', (c) => nested(2, () => c.text('Hi')));

export default inspector.instrument(app);
