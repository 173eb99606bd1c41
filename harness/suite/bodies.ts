import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../machine/watchdog.ts';
import type { Exchange, LoadedSuite, Request } from './suite-schema.ts';

/** Half of what Linux takes as one argument (MAX_ARG_STRLEN). */
const MAX_ARGUMENT_BYTES = 65_536;

/** The suite with each body that is too long for a command line, or has a NUL, in a file, which is gone when this process ends. */
export function withBodyFiles(suite: LoadedSuite): LoadedSuite {
  let folder: string | undefined;
  return withRequests(suite, (request) => {
    const { body, ...rest } = request;
    if (body === undefined || (Buffer.byteLength(body) <= MAX_ARGUMENT_BYTES && !body.includes('\0'))) return request;
    folder ??= temporaryFolder();
    // The same for all that send it.
    const bodyFile = join(folder, `body-${Bun.hash(body)}`);
    writeFileSync(bodyFile, body);
    return { ...rest, bodyFile };
  });
}

/** The suite with other requests in place of its own, those of warm-ups among them. */
export function withRequests(suite: LoadedSuite, change: (request: Request) => Request): LoadedSuite {
  const changed = (sent: Exchange[]) => sent.map((each) => ({ ...each, request: change(each.request) }));
  const tasks = suite.tasks.map((task) => {
    return { ...task, exchanges: changed(task.exchanges), warmUp: changed(task.warmUp) };
  });
  return { ...suite, tasks };
}
