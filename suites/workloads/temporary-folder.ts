import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns the path of a new folder that only its owner can enter. It is removed when the process ends, also by SIGTERM and SIGINT. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tracetax-spans-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      remove();
      process.kill(process.pid, signal);
    });
  }
  return folder;
}
