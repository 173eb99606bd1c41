import { createServer } from 'node:http';
await new Promise((r) => setTimeout(r, 2500));   // compiles, loads models
createServer((q, r) => r.end('ok')).listen(process.env.PORT, '127.0.0.1');
