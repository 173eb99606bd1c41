import { expect, test } from 'bun:test';
import { resolve } from 'node:path';

/** Runs a script that may call `onShutdownSignal`, and sends itself SIGTERM. Resolves with what it wrote. */
async function run(statements: string) {
  const script = `
    import { onShutdownSignal } from ${JSON.stringify(resolve(import.meta.dir, 'shutdown-signals.ts'))};
    ${statements}
    setInterval(() => {}, 1000);
    process.kill(process.pid, 'SIGTERM');
  `;
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' });
  const timer = setTimeout(() => child.kill('SIGKILL'), 4000);
  const output = await child.stdout.text();
  await child.exited;
  clearTimeout(timer);
  return { output, exitCode: child.exitCode, signalCode: child.signalCode };
}

test('a signal ends the process when all have finished, and not before', async () => {
  const ended = await run(`
    for (const ms of [100, 1]) {
      const takeBack = onShutdownSignal(async () => {
        takeBack();
        await Bun.sleep(ms);
        console.log(ms);
      });
    }
  `);
  expect(ended).toMatchObject({ output: '1\n100\n', signalCode: 'SIGTERM' });
});

test('an app that listens for the signal ends the process itself, also if it listened first and once', async () => {
  const ended = await run(`
    process.once('SIGTERM', async () => {
      await Bun.sleep(100);
      process.exit(7);
    });
    onShutdownSignal(async () => {});
  `);
  expect(ended.exitCode).toBe(7);
});
