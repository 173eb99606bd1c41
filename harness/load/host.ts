import { basename, join } from 'node:path';
import { Child } from '../processes/child.ts';
import { temporaryFolder } from '../processes/watchdog.ts';
import { Problem } from '../words/errors.ts';
import { quoteCommand } from '../words/text.ts';

/** Has a folder there for as long as its connection lasts: when that ends, however it ends, its stdin closes. */
const KEEPER = `
trap '' HUP INT TERM
folder=$(mktemp -d "\${TMPDIR:-/tmp}/tracetax-XXXXXX") || exit
echo "$folder $(getconf _NPROCESSORS_ONLN || echo 1)"
cat
rm -rf "$folder"`;

/**
 * Without a terminal, a command runs on when its connection ends. This one is killed then, which closes its stdin, with all
 * that it started: sshd gives each a process group.
 */
const GUARDED = `
exec 3<&0
{ cat <&3; kill -s KILL 0; } >/dev/null 2>&1 &
exec "$@" </dev/null 3<&-`;

/** From the connection to the first answer: what runs at a login may take its time. */
const ANSWER_WITHIN_MS = 30_000;

/** Another machine. All that is done there goes through one connection of ssh, which is made anew when it was lost. */
export class Host {
  /** How many it has, once it is connected. */
  cores = 1;
  private folder = '';
  private socket = '';
  private connection: Child | undefined;
  private connecting: Promise<void> | undefined;
  /** By file: where it is there. */
  private readonly copies = new Map<string, string>();

  /** `name`: as ssh takes it. */
  constructor(readonly name: string) {}

  /** Resolves when it is connected. @throws Problem if it can't be reached. */
  connected(): Promise<void> {
    this.connecting ??= this.connect();
    return this.connecting;
  }

  /** Ends the connection. What runs there is killed, and files are removed. */
  async disconnect(): Promise<void> {
    await this.connection?.stop();
  }

  /** The command that runs this one there, while it is connected. */
  argv(command: string[]): string[] {
    // Through the connection or not at all: a new one would take its time.
    return this.ssh(['-S', this.socket, '-oProxyCommand=false'], command);
  }

  /** The same for one that may take long: it is killed when its stdin closes. */
  guarded(command: string[]): string[] {
    return this.argv(['sh', '-c', GUARDED, 'sh', ...command]);
  }

  /** Where a copy of the file is there. @throws Problem if it can't be copied. */
  copyOf(file: string): string {
    const known = this.copies.get(file);
    if (known !== undefined) return known;
    const there = `${this.folder}/${this.copies.size}-${basename(file)}`;
    const argv = this.argv(['sh', '-c', 'cat >"$1"', 'sh', there]);
    const { success, stderr } = Bun.spawnSync(argv, { stdin: Bun.file(file) });
    if (!success)
      throw new Problem(
        `${file} can't be copied to ${this.name}: ${stderr}`,
        'Fix that, and try again',
      );
    this.copies.set(file, there);
    return there;
  }

  private async connect(): Promise<void> {
    await this.disconnect();
    this.copies.clear();
    this.socket = join(temporaryFolder(), 'ssh');
    const options = [
      '-M',
      '-S',
      this.socket,
      '-oControlPersist=no',
      '-oConnectTimeout=10',
      '-oServerAliveInterval=5',
    ];
    const child = new Child(this.ssh(options, ['sh', '-c', KEEPER]), { stdin: 'pipe' });
    this.connection = child;
    // Whoever asks next makes it anew; whoever asks at the same time waits for that one.
    void child.exited.then(() => {
      this.connecting = undefined;
    });
    const answer = () => /^(\/.*) (\d+)$/m.exec(child.output.stdout()) ?? [];
    const failure = await child.readinessFailure(
      'answered',
      () => answer().length > 0,
      ANSWER_WITHIN_MS,
    );
    const remedy = `Make "ssh ${this.name} true" work without a prompt`;
    if (failure)
      throw new Problem(`The load host ${this.name} can't be reached: ssh ${failure}`, remedy);
    const [, folder = '', cores] = answer();
    this.folder = folder;
    this.cores = Number(cores);
  }

  /** It runs on the cores of the harness, which are none of the server's. */
  private ssh(options: string[], command: string[]): string[] {
    return ['ssh', ...options, '-oBatchMode=yes', '--', this.name, quoteCommand(command)];
  }
}
