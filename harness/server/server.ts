/**
 * A running server: this room starts one as its suite and its telemetry want it, waits until it is
 * ready, and asks its probe what it used. A planned server and a place go in; a `Server` comes out,
 * which its caller stops. What is sent to it, and how its work is measured, does not belong here.
 */
import type { InterimRemedy } from '../exchange/check.ts';
import type { RequestAndAnswer } from '../exchange/request-schema.ts';
import { freePort } from '../machine/free-port.ts';
import { watchOutOfMemory } from '../machine/memory-limit.ts';
import { type Pinning, pinned } from '../machine/pinning.ts';
import type { PlannedServer } from '../plan/planned-server.ts';
import { Child, type ChildOptions } from '../processes/child.ts';
import { adopt, membersOf, processes } from '../processes/processes.ts';
import { temporaryFolder } from '../processes/watchdog.ts';
import { remedyOf } from '../result/faults.ts';
import { ScenarioProblem } from '../words/errors.ts';
import { printToStderr } from '../words/output.ts';
import { launchOf } from './launch.ts';
import { acceptsConnections, type ListeningSocket, listeningSocketsOf } from './port.ts';
import { Probe, probeEnv } from './probe.ts';
import { waitForReadiness } from './readiness.ts';
import { withServices } from './services.ts';

const START_REMEDY =
  'Start it by hand: --dry-run prints its command. In its suite, "prepare" builds it, ' +
  '"startWithinSeconds" gives it longer';
const ADDRESS_REMEDY =
  'Let it listen there, by {host} and {port} in its command or in a variable that it reads';

const MEMORY_REMEDY = remedyOf('out-of-memory');

/** Addresses by which every network reaches a server. */
const ANY_ADDRESS = new Set(['0.0.0.0', '[::]']);

/** Where servers run. */
export interface Place {
  /** Undefined if cores are not pinned. */
  readonly pinning: Pinning | undefined;
  /** The address of this machine on which they listen. */
  readonly listen: string;
  /** Undefined if no load follows that could mistake interim answers. */
  readonly interimRemedy?: InterimRemedy | undefined;
}

/** What is started, and what it must answer before it counts as started. */
export interface StartRequest {
  planned: PlannedServer;
  place: Place;
  exchanges: readonly RequestAndAnswer[];
  /** Host and port of what receives its telemetry; undefined if nothing does. */
  sinkAddress?: string | undefined;
  /** Variables that go before all others. */
  moreEnv?: Record<string, string> | undefined;
}

/** One running server, fresh for this measurement. */
export interface Server {
  /** The process that holds its port. */
  readonly pid: number;
  /** Where it answers: `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** What was started: the process above, or its ancestor. */
  readonly child: Child;
  readonly probe: Probe;
  /** How often it was asked until it was ready. */
  readonly attempts: number;
  /** From its start to its first answers. */
  readonly readyAfterMs: number;
}

/** Another process holds the server's port. */
class SharedPort extends ScenarioProblem {}

/** The server ended before it listened. */
class EndedEarly extends ScenarioProblem {}

/**
 * Starts the server on a free port, with the probe in it, and waits until it answers each exchange
 * as it should.
 * @throws ScenarioProblem if it can't be started, ends, is not ready in time, or shares its port
 */
export async function startServer(request: StartRequest): Promise<Server> {
  const isOutOfMemory = watchOutOfMemory(['self']);
  try {
    return await startWithRetry(request);
  } catch (error) {
    if (!(error instanceof ScenarioProblem) || !isOutOfMemory()) throw error;
    const { scenario, detail, shown, keepOutput } = error;
    const what = 'ran out of memory';
    throw new ScenarioProblem(scenario, what, detail, MEMORY_REMEDY, shown, keepOutput);
  }
}

async function startWithRetry(request: StartRequest): Promise<Server> {
  try {
    return await startOnce(request, { hasProbe: true });
  } catch (error) {
    // Another run may have found the same port at the same time.
    if (error instanceof SharedPort) return startOnce(request, { hasProbe: true });
    // Its runtime may not take the probe.
    if (error instanceof EndedEarly) return startOnce(request, { hasProbe: false });
    throw error;
  }
}

async function startOnce(
  request: StartRequest,
  { hasProbe }: { hasProbe: boolean },
): Promise<Server> {
  const { planned, place, exchanges } = request;
  const reachable = await withServices(planned, place.pinning);
  const port = await freePort();
  // What a server leaves among temporary files goes with its folder.
  const folder = temporaryFolder();
  const { argv, options } = commandOf({ ...request, planned: reachable }, port, folder, hasProbe);
  await using cleanup = new AsyncDisposableStack();
  const startedMs = performance.now();
  const child = cleanup.use(new Child(argv, options));
  const limitMs = planned.startWithinSeconds * 1e3;
  await waitUntilListening(planned, child, { host: place.listen, port }, limitMs);
  const listeningAfterMs = performance.now() - startedMs;

  // A server that put itself into the background is no child of the harness any more.
  adopt(child.pid);
  const sockets = listeningSocketsOf([...processes().keys()]).filter((each) => each.port === port);
  const pid = listenerOf(planned, child, sockets);
  warnIfOpen(planned.name, sockets);

  const origin = `http://${place.listen}:${port}`;
  const askedMs = performance.now();
  const deadlineMs = startedMs + limitMs;
  const listening = { origin, child, interimRemedy: place.interimRemedy };
  const attempts = await waitForReadiness(planned.name, listening, exchanges, deadlineMs);
  const readyAfterMs = listeningAfterMs + performance.now() - askedMs;
  // Its first requests may have started more.
  adopt(child.pid);
  const probe = new Probe(folder, child.pid, pid);
  // From here on, the caller stops it.
  cleanup.move();
  return { pid, origin, child, probe, attempts, readyAfterMs };
}

/** What a process is started by. */
interface ProcessCommand {
  argv: string[];
  options: ChildOptions;
}

function commandOf(
  { planned, place, sinkAddress, moreEnv }: StartRequest,
  port: number,
  folder: string,
  hasProbe: boolean,
): ProcessCommand {
  const { command, env } = launchOf(planned, place.listen, port, sinkAddress);
  const ownEnv = { ...process.env, ...env, ...moreEnv, TMPDIR: folder };
  return {
    argv: pinned(command, place.pinning?.serverCore),
    options: {
      cwd: planned.cwd,
      folder,
      env: hasProbe ? { ...ownEnv, ...probeEnv(folder, ownEnv) } : ownEnv,
      isServer: true,
      // Some servers end with their stdin.
      stdin: 'pipe',
    },
  };
}

/** Where a server is to listen. */
interface Address {
  host: string;
  port: number;
}

/** @throws ScenarioProblem that says why it does not listen where it should */
async function waitUntilListening(
  { name }: PlannedServer,
  child: Child,
  { host, port }: Address,
  limitMs: number,
): Promise<void> {
  const isListening = () => acceptsConnections(host, port);
  const failure = await child.readinessFailure(`listened on ${host}:${port}`, isListening, limitMs);
  if (!failure) return;
  const keeper = child.output.keeper();
  if (child.exit) throw new EndedEarly(name, 'did not start', failure, START_REMEDY, '', keeper);
  const sockets = listeningSocketsOf(membersOf(child.pid).map(({ pid }) => pid));
  if (sockets.length === 0)
    throw new ScenarioProblem(name, 'did not start', failure, START_REMEDY, '', keeper);
  const addresses = new Set(sockets.map((socket) => `${socket.host}:${socket.port}`));
  const detail = `it listens on ${[...addresses].join(', ')}; it ${failure}`;
  throw new ScenarioProblem(name, 'does not listen on its HOST and PORT', detail, ADDRESS_REMEDY);
}

/**
 * Returns the process of this server that holds the port, of all sockets there; the child itself
 * where nothing tells.
 * @throws SharedPort if another process holds it, or if nobody sees which
 */
function listenerOf(
  { name }: PlannedServer,
  child: Child,
  sockets: readonly ListeningSocket[],
): number {
  if (process.platform !== 'linux') return child.pid;
  const members = new Set(membersOf(child.pid).map(({ pid }) => pid));
  const [first] = sockets;
  const stranger = sockets.find(({ pid }) => !members.has(pid));
  if (first && !stranger) return first.pid;
  const holder = stranger ? `process ${stranger.pid}` : 'a process of another user';
  throw new SharedPort(
    name,
    'does not hold its port alone',
    `${holder} may be measured in its place`,
    stranger ? START_REMEDY : 'Run tracetax as that user',
  );
}

/** Scenarios of which the user was warned: each is started many times. */
const warnedScenarios = new Set<string>();

function warnIfOpen(scenario: string, sockets: readonly ListeningSocket[]): void {
  const isOpen = sockets.some(({ host }) => ANY_ADDRESS.has(host));
  if (!isOpen || warnedScenarios.has(scenario)) return;
  warnedScenarios.add(scenario);
  printToStderr(
    `Warning: ${scenario} is open to every network while it runs. ` +
      'To prevent it, let it listen on {host} or $HOST.',
  );
}
