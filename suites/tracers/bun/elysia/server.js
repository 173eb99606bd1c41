import { Elysia } from 'elysia';

new Elysia().get('/', () => 'Hi').listen(process.env.PORT);
