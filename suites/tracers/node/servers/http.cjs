const { createServer } = require('node:http');

createServer((_, response) => response.setHeader('content-type', 'text/plain').end('Hi')).listen(
  Number(process.env.PORT),
  process.env.HOST,
);
