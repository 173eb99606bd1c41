import { Inspector } from '@tracetax/inspector';
import { Hono } from 'hono';

const inspector = new Inspector();
const { trace } = inspector.instruments.traces;
const app = new Hono();

// The request's own span and nine nested in it: ten in all.
app.get('/', (c) =>
  trace('span 2', () =>
    trace('span 3', () =>
      trace('span 4', () =>
        trace('span 5', () =>
          trace('span 6', () =>
            trace('span 7', () =>
              trace('span 8', () => trace('span 9', () => trace('span 10', () => c.text('Hi')))),
            ),
          ),
        ),
      ),
    ),
  ),
);

export default inspector.instrument(app);
