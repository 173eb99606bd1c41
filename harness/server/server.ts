import { type EventEmitter, once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { checkAnswer, NoWholeAnswer, WrongAnswer } from '../exchange/check.ts';
import { freePort } from '../machine/free-port.ts';
import { type Pinning, pinned } from '../machine/pinning.ts';
import { type PlannedServer, withAddresses } from '../plan/planned-server.ts';
import { Child } from '../processes/child.ts';
import { adopt, membersOf, processes } from '../processes/processes.ts';
import { temporaryFolder } from '../processes/watchdog.ts';
import { programOf } from '../software/packages.ts';
import type { Exchange } from '../suite/suite.ts';
import { ScenarioProblem } from '../words/errors.ts';
import { printToStderr } from '../words/output.ts';
import { environmentOf } from './environment.ts';
import { accepts, listening } from './port.ts';
import { Probe, probeEnv } from './probe.ts';
import { withServices } from './services.ts';

const REMEDY =
  'Start it by hand: --dry-run prints its command. In its suite, "prepare" builds it, "startWithinSeconds" gives it longer';
const ELSEWHERE =
  'Let it listen there, by {host} and {port} in its command or in a variable that it reads';

const RETRY_MS = 20;
const TELL_WITHIN_MS = 1_000;
const PLAIN =
  'Let it serve HTTP/1.1 without TLS: what is measured is the server, not what stands before it';

/**
 * One running server, fresh for this measurement; `pid` is the process that holds its port. `questions`: how often it was
 * asked until it was ready.
 */
export type Server = Awaited<ReturnType<typeof startOnce>>;

/** Where servers listen unless the user names another address: no other host reaches it. */
export const LOOPBACK = '127.0.0.1';

const ANY_ADDRESS = new Set(['0.0.0.0', '[::]']);

/** Where servers run, and the address of this machine on which they listen. */
export type Place = { readonly pinning: Pinning | undefined; readonly listen: string };

/** The command of a server that listens there, and the environment that it has in place of the user's. */
export function launchOf(server: PlannedServer, host: string, port: number, sink = '') {
  const { command, env } = withAddresses(server, { host, port: String(port), sink });
  return { command, env: environmentOf({ cwd: server.cwd, command, env }, host, port) };
}

/**
 * Starts the server on a free port, with the probe in it, and waits until it answers each of these as it should. `moreEnv`
 * goes before all other variables. @throws ScenarioProblem if it can't be started, ends, is not ready in time, or shares its port.
 */
export async function startServer(...given: Given): Promise<Server> {
  return startOnce(true, ...given).catch((error) => {
    // Another run may have found the same port at the same time.
    if (error instanceof SharedPort) return startOnce(true, ...given);
    // Its runtime may not take the probe.
    if (error instanceof EndedEarly) return startOnce(false, ...given);
    throw error;
  });
}

type Given = [
  server: PlannedServer,
  place: Place,
  asked: Exchange[],
  sink?: string,
  moreEnv?: Record<string, string>,
];

async function startOnce(
  hasProbe: boolean,
  ...[server, { pinning, listen }, asked, sink, moreEnv]: Given
) {
  const ready = await withServices(server, pinning);
  const port = await freePort();
  // What a server leaves among temporary files goes with its folder.
  const folder = temporaryFolder();
  const launch = launchOf(ready, listen, port, sink);
  const own = { ...process.env, ...launch.env, ...moreEnv, TMPDIR: folder };
  const env = hasProbe ? { ...own, ...probeEnv(folder, own) } : own;
  const startedMs = performance.now();
  // Some servers end with their stdin.
  const how = { cwd: server.cwd, folder, env, isServer: true, stdin: 'pipe' } as const;
  await using ending = new AsyncDisposableStack();
  const child = ending.use(new Child(pinned(launch.command, pinning?.serverCore), how));
  const limitMs = server.startWithinSeconds * 1e3;
  const failure = await child.unready(
    `listened on ${listen}:${port}`,
    () => accepts(listen, port),
    limitMs,
  );
  if (failure) throw unstarted(server, child, failure);
  const listeningAfterMs = performance.now() - startedMs;
  const pid = ownListener(server, child, port);
  const started = {
    pid,
    origin: `http://${listen}:${port}`,
    child,
    probe: new Probe(folder, child.pid, pid),
  };
  const askedMs = performance.now();
  let questions = 0;
  for (const exchange of asked)
    questions += await whenReady(server, started, exchange, startedMs + limitMs);
  const readyAfterMs = listeningAfterMs + performance.now() - askedMs;
  // From here on, the caller stops it.
  ending.move();
  return { ...started, questions, readyAfterMs };
}

/** @throws ScenarioProblem if there is no such program: behind taskset, that would look like a server that failed. */
export function checkProgram(server: PlannedServer): void {
  const { name, command } = server;
  const [program = ''] = command;
  if (command.some((word) => SHELL.test(word)))
    throw new ScenarioProblem(name, 'has a command for a shell, and none reads it', '', NO_SHELL);
  if (programOf(server) === null)
    throw new ScenarioProblem(name, `has no program "${program}" here`, '', NO_PROGRAM);
}

/** What a shell alone understands, if it is a word of its own. */
const SHELL = /^(\|\|?|&&?|;|\d?>>?(&\d)?|<)$/;
const NO_SHELL = 'Leave that out, or write "sh", "-c" and the line as one string';

const NO_PROGRAM =
  'Install it, build it by "prepare", name it in "files" if git ignores it, or fix the command: variables go into "env", and each argument is a string of its own';

/** Why it does not listen where it should. */
function unstarted({ name }: PlannedServer, child: Child, failure: string): ScenarioProblem {
  if (child.exit) return new EndedEarly(name, 'did not start', failure, REMEDY);
  const sockets = listening(membersOf(child.pid).map(({ pid }) => pid));
  if (sockets.length === 0) return new ScenarioProblem(name, 'did not start', failure, REMEDY);
  const addresses = new Set(sockets.map(({ host, port }) => `${host}:${port}`));
  const elsewhere = `it listens on ${[...addresses].join(', ')}; it ${failure}`;
  return new ScenarioProblem(name, 'does not listen on its HOST and PORT', elsewhere, ELSEWHERE);
}

class SharedPort extends ScenarioProblem {}
class EndedEarly extends ScenarioProblem {}

/** Scenarios of which the user was told. */
const open = new Set<string>();

/**
 * A process of this server that holds the port; the child if nothing tells.
 * @throws SharedPort if another process holds it, or if nobody sees which.
 */
function ownListener({ name }: PlannedServer, child: Child, port: number): number {
  if (process.platform !== 'linux') return child.pid;
  adopt(child.pid);
  const found = listening([...processes().keys()]).filter((socket) => socket.port === port);
  const members = new Set(membersOf(child.pid).map(({ pid }) => pid));
  const [own] = found;
  const stranger = found.find(({ pid }) => !members.has(pid));
  if (!own || stranger) {
    const [holder, remedy] = stranger
      ? [`process ${stranger.pid}`, REMEDY]
      : ['a process of another user', 'Run tracetax as that user'];
    throw new SharedPort(
      name,
      'does not hold its port alone',
      `${holder} may be measured in its place`,
      remedy,
    );
  }
  if (found.some(({ host }) => ANY_ADDRESS.has(host)) && !open.has(name))
    printToStderr(
      `Warning: ${name} is open to every network while it runs. To prevent it, let it listen on {host} or $HOST.`,
    );
  open.add(name);
  return own.pid;
}

/**
 * Asks until there is no fault in the answer, since a server may listen before it is ready. Returns how often it asked.
 * @throws ScenarioProblem the last fault, once the time to start is over, or if it ended or will never answer.
 */
async function whenReady(
  { name }: PlannedServer,
  { origin, child }: Pick<Server, 'origin' | 'child'>,
  exchange: Exchange,
  deadlineMs: number,
): Promise<number> {
  for (let asked = 1; ; asked++)
    try {
      await checkAnswer({ name }, origin, exchange);
      return asked;
    } catch (error) {
      if (!(error instanceof ScenarioProblem)) throw error;
      const { what, detail, remedy, shown } = error;
      // What it said is for the terminal alone: it may tell what it was asked.
      if (performance.now() >= deadlineMs)
        throw new ScenarioProblem(name, what, detail, remedy, `${shown}; ${child.lastWords()}`);
      const { ending } = child;
      // Most others have answered by HTTP, and would only complain of the question.
      const isMute = error instanceof NoWholeAnswer;
      const isUnclear =
        asked === 1 && (isMute || (error instanceof WrongAnswer && error.status === 400));
      const why = ending
        ? `it ended ${ending}`
        : isUnclear && (await spoken(new URL(origin), isMute));
      if (why) throw new ScenarioProblem(name, 'did not answer', why, ending ? remedy : PLAIN);
      await Bun.sleep(RETRY_MS);
    }
}

/** What a server speaks in place of HTTP/1.1; undefined if nothing tells. One that answers may speak HTTP/2 beside it. */
async function spoken(
  { origin, hostname: host, port }: URL,
  isMute: boolean,
): Promise<string | undefined> {
  const secure = connectTls({ host, port: Number(port), rejectUnauthorized: false });
  if (await comes('secureConnect', secure)) return 'it speaks TLS';
  return isMute && (await comes('remoteSettings', connectHttp2(origin)))
    ? 'it speaks HTTP/2'
    : undefined;
}

/** Whether a client learns that. It ends. */
async function comes(event: string, client: EventEmitter & { destroy(): void }): Promise<boolean> {
  client.on('error', () => {});
  const coming = once(client, event, { signal: AbortSignal.timeout(TELL_WITHIN_MS) });
  const isIt = await coming.then(() => true).catch(() => false);
  client.destroy();
  return isIt;
}
