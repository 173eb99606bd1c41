import { basename, join } from 'node:path';
import { Child } from '../processes/child.ts';
import { temporaryFolder } from '../processes/watchdog.ts';
import { Problem } from '../words/errors.ts';
import { quoteCommand } from '../words/text.ts';

/**
 * This script keeps a folder on the host for as long as the connection lasts: when the connection
 * ends, however it ends, the stdin of the script closes. The script prints the folder and the
 * number of cores.
 */
const KEEPER_SCRIPT = `
trap '' HUP INT TERM
folder=$(mktemp -d "\${TMPDIR:-/tmp}/tracetax-XXXXXX") || exit
echo "$folder $(getconf _NPROCESSORS_ONLN || echo 1)"
cat
rm -rf "$folder"`;

/**
 * Without a terminal, a command runs on when its connection ends. Under this script, it is killed
 * once stdin closes, with all that it started: sshd gives each command a process group.
 */
const GUARD_SCRIPT = `
exec 3<&0
{ cat <&3; kill -s KILL 0; } >/dev/null 2>&1 &
exec "$@" </dev/null 3<&-`;

/** How long the first answer may take: a login may run programs that take their time. */
const CONNECTION_TIMEOUT_MS = 30_000;

/** What a host answers first. */
interface HostAnswer {
  /** The folder on the host that is there while the connection lasts. */
  folder: string;
  cores: number;
}

/**
 * Another machine. All that is done there goes through one connection of ssh, which is made anew
 * when it was lost.
 */
export class Host {
  /** The number of its cores, which is known once it is connected. */
  cores = 1;
  /** The folder on the host. */
  private folder = '';
  /** The socket on this machine through which further commands use the connection. */
  private socket = '';
  private connection: Child | undefined;
  private connecting: Promise<void> | undefined;
  /** Paths on the host, by path on this machine. */
  private readonly copies = new Map<string, string>();

  /** @param name of the host, as ssh takes it */
  constructor(readonly name: string) {}

  /** Resolves when the host is connected. @throws Problem if it can't be reached. */
  connected(): Promise<void> {
    this.connecting ??= this.connect();
    return this.connecting;
  }

  /** Ends the connection: what runs on the host is killed, and its folder is removed. */
  async disconnect(): Promise<void> {
    await this.connection?.stop();
  }

  /** Returns the command that runs this one on the host, while it is connected. */
  argv(command: string[]): string[] {
    // Without this proxy, ssh would make a connection of its own, which takes time.
    return this.ssh(['-S', this.socket, '-oProxyCommand=false'], command);
  }

  /** Returns the same for a command that may take long: it is killed when its stdin closes. */
  guarded(command: string[]): string[] {
    return this.argv(['sh', '-c', GUARD_SCRIPT, 'sh', ...command]);
  }

  /**
   * Copies a file to the host, once.
   * @returns the path of the copy there
   * @throws Problem if it can't be copied
   */
  copyOf(file: string): string {
    const known = this.copies.get(file);
    if (known !== undefined) return known;
    const copy = copyPath(this.folder, this.copies.size, file);
    const argv = this.argv(['sh', '-c', 'cat >"$1"', 'sh', copy]);
    const { success, stderr } = Bun.spawnSync(argv, { stdin: Bun.file(file) });
    if (!success)
      throw new Problem(
        `${file} can't be copied to ${this.name}: ${stderr}`,
        `Make room on ${this.name}, and let its user write to $TMPDIR there`,
      );
    this.copies.set(file, copy);
    return copy;
  }

  private async connect(): Promise<void> {
    await this.disconnect();
    this.copies.clear();
    this.socket = join(temporaryFolder(), 'ssh');
    const connection = this.openConnection();
    const { folder, cores } = await this.firstAnswer(connection);
    this.folder = folder;
    this.cores = cores;
  }

  /** Starts the connection. Once it ends, whoever asks next makes it anew. */
  private openConnection(): Child {
    const sharing = ['-M', '-S', this.socket, '-oControlPersist=no'];
    const timeouts = ['-oConnectTimeout=10', '-oServerAliveInterval=5'];
    const argv = this.ssh([...sharing, ...timeouts], ['sh', '-c', KEEPER_SCRIPT]);
    const connection = new Child(argv, { stdin: 'pipe' });
    this.connection = connection;
    void connection.exited.then(() => {
      this.connecting = undefined;
    });
    return connection;
  }

  /** Waits for what the script on the host prints. @throws Problem if the host can't be reached. */
  private async firstAnswer(connection: Child): Promise<HostAnswer> {
    const answer = () => parseAnswer(connection.output.stdout());
    const failure = await connection.readinessFailure(
      'answered',
      () => answer() !== undefined,
      CONNECTION_TIMEOUT_MS,
    );
    if (failure)
      throw new Problem(
        `The load host ${this.name} can't be reached: ssh ${failure}`,
        `Make "ssh ${this.name} true" work without a prompt`,
      );
    return answer() as HostAnswer;
  }

  /**
   * Returns a command of ssh, which runs on the cores of the harness: none of them is the server's.
   */
  private ssh(options: string[], command: string[]): string[] {
    return ['ssh', ...options, '-oBatchMode=yes', '--', this.name, quoteCommand(command)];
  }
}

/**
 * Returns where a file is copied to.
 * @param index how many were copied before it: files may have the same name
 */
export function copyPath(folder: string, index: number, file: string): string {
  return `${folder}/${index}-${basename(file)}`;
}

/** Returns the answer of a host in what was printed; undefined while it is not complete. */
function parseAnswer(stdout: string): HostAnswer | undefined {
  const [, folder, cores] = /^(\/.*) (\d+)$/m.exec(stdout) ?? [];
  return folder === undefined ? undefined : { folder, cores: Number(cores) };
}
