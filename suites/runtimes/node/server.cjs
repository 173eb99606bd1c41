const { createServer } = require('node:http');

const server = createServer((_request, response) => response.setHeader('content-type', 'text/plain').end('Hi'));

server.listen(Number(process.env.PORT), process.env.HOST);
// Instrumentation that takes the signal to export its last does not end the process.
process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
