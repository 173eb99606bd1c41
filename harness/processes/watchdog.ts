import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orProblem } from '../words/errors.ts';
import { removePath } from '../words/files.ts';
import { follow, WATCHDOG_VARIABLE } from './processes.ts';

/**
 * This script kills what the harness started should the harness itself be killed, and removes its
 * folder. A SIGKILL can't be caught, so the script runs in a shell in a session of its own: each
 * line of its stdin names what runs, a process group by a minus before its number as for kill(1),
 * and once stdin closes, because the harness is gone, the script kills that. Unless the harness has
 * ended well, and so removed its folder, the script also kills every process that has the folder in
 * its environment.
 */
const WATCHDOG_SCRIPT = `
trap '' INT TERM HUP
targets=
while read -r line; do targets=$line; done
for target in $targets; do kill -s KILL -- "$target"; done 2>/dev/null
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
  /** Takes what runs, a line for each change. */
  stdin: Bun.FileSink;
  /** Process groups that run. */
  groups: number[];
  /** Processes that are stopped, and may be in no such group. */
  stopped: number[];
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
  const current = runningWatchdog();
  current.groups = Array.from(children, ({ pid }) => pid);
  tell(current);
}

/**
 * Lets these processes die with the harness, too, and none that were named before: nobody else
 * would let a stopped process go on that has left both its group and its environment.
 */
export function watchStopped(pids: Iterable<number>): void {
  const current = runningWatchdog();
  current.stopped = [...pids];
  tell(current);
}

function tell({ stdin, groups, stopped }: Watchdog): void {
  const targets = [...groups.map((group) => -group), ...stopped];
  stdin.write(`${targets.join(' ')}\n`);
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
    env: { ...process.env, [WATCHDOG_VARIABLE]: folder },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.unref();
  // Whatever the shell starts is not booked to a server, and orphans come here from now on.
  follow(shell.pid, `${folder} of the watchdog`);
  return { folder, stdin: shell.stdin, groups: [], stopped: [] };
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
