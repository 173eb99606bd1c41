// Real servers for tests: started on a free port, and seen to end.
import { expect } from 'bun:test';
import { freePort } from '../machine/free-port.ts';
import { acceptsConnections } from '../server/port.ts';

const MAX_END_MS = 5_000;

/**
 * Starts a server in production mode, lets `use` have its port, and sees that it ends by SIGTERM.
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
    const timer = setTimeout(() => server.kill('SIGKILL'), MAX_END_MS);
    await server.exited;
    clearTimeout(timer);
  }
  expect(server.signalCode).toBe('SIGTERM');
  return server.stderr.text();
}
