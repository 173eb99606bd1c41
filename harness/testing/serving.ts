// Real servers for tests: started on a free port, and seen to end.
import { expect } from 'bun:test';
import { freePort } from '../machine/free-port.ts';
import { acceptsConnections } from '../server/port.ts';

/**
 * Starts a server in production mode, lets `use` have its port, and sees that it ends by SIGTERM:
 * a server that ignores it keeps the test until its time is up, and is killed by the test runner.
 * Resolves with what it wrote to stderr.
 */
export async function withServer(
  command: string[],
  env: Record<string, string>,
  use: (port: number) => Promise<void>,
) {
  const port = await freePort();
  const own = { ...process.env, NODE_ENV: 'production', PORT: String(port), ...env };
  const server = Bun.spawn(command, { env: own, stdout: 'ignore', stderr: 'pipe' });
  try {
    while (server.exitCode === null && !(await acceptsConnections('127.0.0.1', port)))
      await Bun.sleep(20);
    await use(port);
    expect(server.exitCode).toBeNull();
  } finally {
    server.kill('SIGTERM');
    await server.exited;
  }
  expect(server.signalCode).toBe('SIGTERM');
  return server.stderr.text();
}
