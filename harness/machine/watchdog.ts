/**
 * Kills what the harness started should the harness itself be killed, and removes what it left on disk. A SIGKILL can't be
 * caught, so this is a shell in a session of its own: it is told the process groups and folders through its stdin, and
 * when that closes, because the harness is gone, it kills the groups it has left.
 */
const WATCHDOG = `
trap '' INT TERM HUP
groups=' '
while read -r change name; do
  case $change in
    add) groups="$groups$name " ;;
    remove) groups="\${groups%% $name *} \${groups#* $name }" ;;
    folder) set -- "$@" "$name" ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group"; done 2>/dev/null
for folder do [ ! -e "$folder" ] || rm -rf "$folder"; done
`;

type Watchdog = Bun.Subprocess<'pipe', 'ignore', 'ignore'>;
let running: Watchdog | undefined;

function watchdog(): Watchdog {
  if (!running) {
    running = Bun.spawn(['sh', '-c', WATCHDOG], {
      stdin: 'pipe',
      stdout: 'ignore',
      stderr: 'ignore',
      detached: true,
    });
    running.unref();
  }
  return running;
}

/** From now on the process group dies with the harness. */
export function watchGroup(groupId: number): void {
  tell(`add ${groupId}`);
}

/** The process group has ended by itself: its number may come to belong to somebody else. */
export function unwatchGroup(groupId: number): void {
  tell(`remove ${groupId}`);
}

/** The folder is removed with the harness, at the latest. */
export function watchFolder(folder: string): void {
  tell(`folder ${folder}`);
}

function tell(line: string): void {
  const { stdin } = watchdog();
  stdin.write(`${line}\n`);
  stdin.flush();
}
