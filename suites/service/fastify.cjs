const fastify = require('fastify');
const { answer } = require('./request.cjs');

const app = fastify();

app.get('/', answer);
app.listen({ port: Number(process.env.PORT), host: process.env.HOST });
