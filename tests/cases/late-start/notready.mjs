import { createServer } from 'node:http';
let ready = false; setTimeout(() => { ready = true; }, 1500);   // connects to its database
createServer((q, r) => { r.statusCode = ready ? 200 : 503; r.end(ready ? 'ok' : 'starting'); }).listen(process.env.PORT, '127.0.0.1');
