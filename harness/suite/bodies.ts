import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../machine/watchdog.ts';
import type { Exchange, LoadedSuite } from './suite-schema.ts';

/** Half of what Linux takes as one argument (MAX_ARG_STRLEN). */
const MAX_ARGUMENT_BYTES = 65_536;

/** The suite with each body that is too long for a command line in a file, which is gone when this process ends. */
export function withBodyFiles(suite: LoadedSuite): LoadedSuite {
  const files = new Map<string, string>();
  const fileOf = (body: string) => {
    const file = files.get(body) ?? join(temporaryFolder(), 'body');
    if (!files.has(body)) writeFileSync(file, body);
    files.set(body, file);
    return file;
  };
  const changed = (exchange: Exchange): Exchange => {
    const { body, ...request } = exchange.request;
    if (body === undefined || Buffer.byteLength(body) <= MAX_ARGUMENT_BYTES) return exchange;
    return { ...exchange, request: { ...request, bodyFile: fileOf(body) } };
  };
  const all = <T extends { exchanges: Exchange[] }>(of: T) => ({ ...of, exchanges: of.exchanges.map(changed) });
  const tasks = suite.tasks.map((task) => ({ ...all(task), ...(task.warmUp && { warmUp: all(task.warmUp) }) }));
  return { ...suite, tasks };
}
