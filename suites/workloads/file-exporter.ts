import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileSpanExporter } from '@tracetax/inspector/file';

/** Writes spans to a file that is there for as long as the process. */
export function fileSpanExporter(): FileSpanExporter {
  return new FileSpanExporter({ path: join(temporaryFolder(), 'spans.jsonl') });
}

/** A new folder that only its owner can enter. It is removed when the process ends, also by SIGTERM and SIGINT. */
function temporaryFolder(): string {
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
