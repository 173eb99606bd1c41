import { expect, test } from 'bun:test';

test('without git a machine has no commit, and prints no error', () => {
  const script =
    "const { machineFacts } = await import('./environment.ts'); console.log(machineFacts('.').gitRevision);";
  const run = Bun.spawnSync([process.execPath, '-e', script], {
    cwd: import.meta.dir,
    env: { PATH: '/nowhere' },
  });
  expect({ stdout: run.stdout.toString(), stderr: run.stderr.toString() }).toEqual({
    stdout: 'null\n',
    stderr: '',
  });
});
