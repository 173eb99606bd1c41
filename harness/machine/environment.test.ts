import { expect, test } from 'bun:test';

test('a machine without git has no commit to tell, and that is all', () => {
  const script =
    "const { environment } = await import('./environment.ts'); console.log(environment('.').gitRevision);";
  const run = Bun.spawnSync([process.execPath, '-e', script], {
    cwd: import.meta.dir,
    env: { PATH: '/nowhere' },
  });
  expect({ stdout: run.stdout.toString(), stderr: run.stderr.toString() }).toEqual({
    stdout: 'null\n',
    stderr: '',
  });
});
