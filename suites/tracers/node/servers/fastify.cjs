const fastify = require('fastify');

const app = fastify();

app.get('/', async () => 'Hi');
app.listen({ port: Number(process.env.PORT), host: process.env.HOST });
