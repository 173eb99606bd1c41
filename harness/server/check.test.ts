import { expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { scenarioSchema, taskSchema } from '../suite/suite-schema.ts';
import { Problem } from '../words/errors.ts';
import { checkAnswer } from './check.ts';

const scenario = scenarioSchema.parse({ name: 'x', command: ['x'] });
const [exchange] = taskSchema.parse({ name: 'task', exchanges: [{}] }).exchanges;

test('a server that breaks off in the middle of its answer did not answer', async () => {
  const server = createServer((socket) =>
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nHi');
      setTimeout(() => socket.destroy(), 50);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const failure = await checkAnswer(scenario, `http://127.0.0.1:${port}`, exchange as never).catch((error) => error);
  server.close();
  expect(failure).toBeInstanceOf(Problem);
  expect(failure.message).toStartWith('Scenario x did not answer: ');
});
