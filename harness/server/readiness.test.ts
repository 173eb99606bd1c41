// Servers of this process, and a child that only has words: what a server must answer before it
// counts as ready.
import { expect, test } from 'bun:test';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { InterimRemedy } from '../exchange/check.ts';
import { answerSchema, requestSchema } from '../exchange/request-schema.ts';
import { interimRemedyOf } from '../load/interim.ts';
import { vegeta } from '../load/vegeta.ts';
import { wrk } from '../load/wrk.ts';
import { testFolder } from '../testing/folder.ts';
import { problemLine } from '../words/errors.ts';
import { waitForReadiness } from './readiness.ts';

const { folder } = testFolder();
const exchange = { request: requestSchema.parse({}), answer: answerSchema.parse({}) };

/** How often a server was asked until it was ready, or the line that says why it never was. */
async function readiness(
  server: Server,
  withinMs: number,
  ending?: string,
  interimRemedy?: InterimRemedy,
) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const child = {
    exitDescription: ending,
    output: { lastLines: () => 'it said: no table', keeper: () => () => '' },
  };
  const running = { origin: `http://127.0.0.1:${port}`, child, interimRemedy };
  const deadlineMs = performance.now() + withinMs;
  return waitForReadiness('x', running, [exchange, exchange], deadlineMs)
    .catch(problemLine)
    .finally(() => server.close());
}

/** A server that answers with these statuses in turn, and then with the last one. */
function answering(...statuses: number[]) {
  return createServer((_, response) => {
    response.writeHead(Number(statuses.length > 1 ? statuses.shift() : statuses[0])).end();
  });
}

test('a server is asked until it answers as it should', async () => {
  expect(await readiness(answering(200), 5_000)).toBe(2);
  expect(await readiness(answering(503, 503, 200), 5_000)).toBe(4);
});

test('one that answers wrongly until its time is over is told, with its last words', async () => {
  expect(await readiness(answering(500), 60)).toMatch(
    /: status: expected 200, received 500; it said: no table\. Fix/,
  );
});

test('one that has ended is not asked again', async () => {
  const ended = await readiness(answering(500), 5_000, 'with status 3');
  expect(ended).toStartWith('Scenario x did not answer: it ended with status 3. Start it by hand');
});

test('one that speaks TLS is told', async () => {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const options = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2';
  const files = ['-keyout', key, '-out', cert, '-subj', '/CN=localhost'];
  Bun.spawnSync(['openssl', ...options.split(' '), ...files], { stderr: 'ignore' });
  const server = createHttpsServer({
    key: await Bun.file(key).text(),
    cert: await Bun.file(cert).text(),
  });
  expect(await readiness(server, 5_000)).toStartWith('Scenario x did not answer: it speaks TLS. ');
});

test('one that speaks HTTP/2 alone is told', async () => {
  expect(await readiness(createHttp2Server(), 5_000)).toStartWith(
    'Scenario x did not answer: it speaks HTTP/2. ',
  );
});

test('one that answers by HTTP/1.1 may speak HTTP/2, too', async () => {
  const settingsFrame = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (asked) => {
      if (String(asked).startsWith('PRI')) socket.write(settingsFrame);
      else socket.end('HTTP/1.1 503 Not yet\r\ncontent-length: 0\r\n\r\n');
    });
  });
  expect(await readiness(server, 60)).toMatch(
    /^Scenario x gave a wrong answer: GET \/: status: expected 200, received 503/,
  );
});

test('an interim answer that the load tool mistakes is told at once', async () => {
  const server = createServer((_, response) => {
    response.writeEarlyHints({ link: '</a.css>; rel=preload' }, () => response.end());
  });
  const told = await readiness(server, 60_000, undefined, interimRemedyOf(wrk));
  expect(told).toStartWith('Scenario x sends an interim answer: GET /: 103 comes before 200, ');
  expect(told).toContain('Use --tool oha or vegeta or locust, which wait');
});

test('one that a load tool handles is no matter', async () => {
  const server = createServer((_, response) => {
    response.writeEarlyHints({ link: '</a.css>; rel=preload' }, () => response.end());
  });
  expect(await readiness(server, 60_000, undefined, interimRemedyOf(vegeta))).toBe(2);
});
