// The SDK with this repository's layer for Hono.
import { Inspector } from '@tracetax/inspector';
import { Hono } from 'hono';

const inspector = new Inspector();

export default inspector.instrument(new Hono().get('/', (c) => c.text('Hi')));
