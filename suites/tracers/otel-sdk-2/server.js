import { Inspector } from '@tracetax/inspector';
import { Hono } from 'hono';

const inspector = new Inspector();
const app = new Hono();

app.get('/', (c) => c.text('Hi'));

export default inspector.instrument(app);
