import { createServer } from 'node:http';
createServer((_, response) => response.end('Hi')).listen(process.env.PORT, '127.0.0.1');
