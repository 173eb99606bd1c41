import { expect, test } from 'bun:test';
import { resolve } from 'node:path';

test('a signal ends the process when all have finished, and not before', async () => {
  const script = `
    import { onShutdownSignal } from ${JSON.stringify(resolve(import.meta.dir, 'shutdown-signals.ts'))};
    for (const ms of [100, 1]) {
      const takeBack = onShutdownSignal(async () => {
        takeBack();
        await Bun.sleep(ms);
        console.log(ms);
      });
    }
    setInterval(() => {}, 1000);
    process.kill(process.pid, 'SIGTERM');
  `;
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' });
  const timer = setTimeout(() => child.kill('SIGKILL'), 4000);
  expect(await child.stdout.text()).toBe('1\n100\n');
  await child.exited;
  clearTimeout(timer);
  expect(child.signalCode).toBe('SIGTERM');
});
