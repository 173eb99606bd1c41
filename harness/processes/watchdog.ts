import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orProblem } from '../words/errors.ts';
import { removePath } from '../words/files.ts';
import { follow } from './processes.ts';

/**
 * Kills what the harness started should the harness itself be killed, and removes its folder. A SIGKILL can't be caught, so
 * this is a shell in a session of its own: each line of its stdin names the process groups that run, and when that closes,
 * because the harness is gone, it kills those. Unless the harness has ended well, and so removed its folder, it also kills
 * what else has that folder in its environment.
 */
const WATCHDOG = `
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

let running: ReturnType<typeof start> | undefined;

/** @throws Problem if there is no place for it. */
function start() {
  // $BUN_OPTIONS can't quote a space, and names a file in this folder. The path of a socket in it has 107 bytes at most.
  const place = /^\S{1,55}$/.test(tmpdir()) ? tmpdir() : '/tmp';
  const make = () => mkdtempSync(join(place, 'tracetax-'));
  const folder = orProblem(
    make,
    'There is no place for temporary files',
    'Set $TMPDIR to a folder of yours',
  );
  process.once('exit', () => removePath(folder));
  const shell = Bun.spawn(['sh', '-c', WATCHDOG, 'sh', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.unref();
  // What it starts is nobody else's.
  follow(shell.pid, `${folder} of the watchdog`);
  return { folder, stdin: shell.stdin };
}

/** A new folder for temporary files. It is gone when this process ends, at the latest, however it ends. */
export function temporaryFolder(): string {
  running ??= start();
  return mkdtempSync(join(running.folder, 'x-'));
}

/** The groups of these die with the harness, and no others: the number of one that has ended may become another's. */
export function watchGroups(children: Iterable<{ pid: number }>): void {
  running ??= start();
  running.stdin.write(`${Array.from(children, ({ pid }) => pid).join(' ')}\n`);
  running.stdin.flush();
}
