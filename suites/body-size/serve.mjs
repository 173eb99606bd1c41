import { createServer } from 'node:http';

/**
 * @typedef {import('node:http').IncomingMessage} IncomingMessage
 * @typedef {import('node:http').ServerResponse} ServerResponse
 */

/**
 * Listens on HOST or 127.0.0.1 at PORT or 3000, under Bun and under Node. Each POST is answered
 * once its body was read, with the size in `x-body-size` where one was found. SIGTERM keeps its
 * default action: the process ends at once.
 * @param {(request: IncomingMessage) => Promise<number | void>} readBody rejects where the body did
 * not come whole
 */
export function serve(readBody) {
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') {
      response.setHeader('allow', 'POST');
      return answer(response, 405);
    }
    try {
      const size = await readBody(request);
      if (size !== undefined) response.setHeader('x-body-size', size);
      answer(response, 200);
    } catch {
      // Most often nobody is left to answer. A body that came whole and failed anyway is the
      // server's fault.
      if (!response.destroyed) answer(response, request.complete ? 500 : 400);
    }
  });
  server.listen(Number(process.env.PORT || 3000), process.env.HOST ?? '127.0.0.1');
}

/**
 * Not `writeHead`: the status line and headers are left to `end`, which then knows that the length
 * is 0.
 * @param {ServerResponse} response
 * @param {number} status
 */
function answer(response, status) {
  response.statusCode = status;
  response.end();
}
