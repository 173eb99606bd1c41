import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orProblem } from '../words/errors.ts';
import { removePath } from '../words/files.ts';
import { follow } from './processes.ts';

/**
 * This script kills what the harness started should the harness itself be killed, and removes its
 * folder. A SIGKILL can't be caught, so the script runs in a shell in a session of its own: each
 * line of its stdin names the process groups that run, and once stdin closes, because the harness
 * is gone, the script kills those groups. Unless the harness has ended well, and so removed its
 * folder, the script also kills every process that has the folder in its environment.
 */
const WATCHDOG_SCRIPT = `
trap '' INT TERM HUP
groups=
while read -r line; do groups=$line; done
for group in $groups; do kill -s KILL -- "-$group"; done 2>/dev/null
[ -e "$1" ] || exit 0
for environ in $(grep -lsF -- "TRACETAX_FOLDER=$1/" /proc/[0-9]*/environ); do
  pid=\${environ#/proc/}
  kill -s KILL "\${pid%/*}"
done 2>/dev/null
rm -rf "$1"
`;

/** The shell that watches, and what it watches over. */
interface Watchdog {
  /** The folder of this run for temporary files. */
  folder: string;
  /** Takes the process groups that run, a line for each change. */
  stdin: Bun.FileSink;
}

/** The watchdog of this process, once there is something to watch. */
let watchdog: Watchdog | undefined;

/**
 * Returns a new folder for temporary files, which is removed when this process ends, in any case.
 */
export function temporaryFolder(): string {
  return mkdtempSync(join(runningWatchdog().folder, 'x-'));
}

/**
 * Lets the process groups of these children die with the harness, and no others: the number of a
 * group that has ended may become that of another.
 */
export function watchGroups(children: Iterable<{ pid: number }>): void {
  const { stdin } = runningWatchdog();
  const pids = Array.from(children, ({ pid }) => pid);
  stdin.write(`${pids.join(' ')}\n`);
  stdin.flush();
}

function runningWatchdog(): Watchdog {
  watchdog ??= startWatchdog();
  return watchdog;
}

/** @throws Problem if there is no place for its folder */
function startWatchdog(): Watchdog {
  const folder = makeFolder();
  process.once('exit', () => removePath(folder));
  const shell = Bun.spawn(['sh', '-c', WATCHDOG_SCRIPT, 'sh', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.unref();
  // Whatever the shell starts is not booked to a server.
  follow(shell.pid, `${folder} of the watchdog`);
  return { folder, stdin: shell.stdin };
}

/**
 * Makes the folder of this run. $BUN_OPTIONS names a file in it and can't quote a space; the path
 * of a socket in it has 107 bytes at most.
 */
function makeFolder(): string {
  const isUsable = /^\S{1,55}$/.test(tmpdir());
  const parent = isUsable ? tmpdir() : '/tmp';
  return orProblem(
    () => mkdtempSync(join(parent, 'tracetax-')),
    'There is no place for temporary files',
    'Set $TMPDIR to a folder of yours',
  );
}
