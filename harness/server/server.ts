import getPort from 'get-port';
import { Child } from '../machine/child.ts';
import { type Pinning, pinned } from '../machine/pinning.ts';
import { adopt, membersOf } from '../machine/processes.ts';
import { temporaryFolder } from '../machine/watchdog.ts';
import { filled, type PlannedServer } from '../suite/planned.ts';
import { ScenarioProblem } from '../words/errors.ts';
import { complain } from '../words/output.ts';
import { inherited } from './environment.ts';
import { accepts, listeners } from './port.ts';
import { Probe, probeEnv } from './probe.ts';
import { withServices } from './services.ts';

const LISTEN_WITHIN_MS = 10_000;
const REMEDY = 'Start it by hand to see why: --dry-run prints its command';

/** One running server process, fresh for this measurement; `origin` is `http://` with host and port. */
export type Server = Awaited<ReturnType<typeof startOnce>>;

/** Where servers listen unless the user names another address: no other host reaches it. */
export const LOOPBACK = '127.0.0.1';

/** Where servers run and listen. */
export interface Place {
  readonly pinning: Pinning | undefined;
  /** An address of this machine. */
  readonly listen: string;
}

/**
 * What a server's environment has in place of the user's, undefined for what it has not: docs/suites.md. In production
 * mode, since development mode costs.
 */
export function serverEnv(server: PlannedServer, listen: string, port: number, sinkAddress?: string) {
  const own = { ...filled(server, sinkAddress), HOST: listen, PORT: String(port), NODE_ENV: 'production' };
  return { ...inherited({ cwd: server.cwd, env: own }).changed, ...own };
}

/**
 * Starts the server on a free port, with the probe in it, and waits until it listens. `moreEnv` goes before all other
 * variables. `pid` is a process of the server that holds the port. If a process of somebody else holds the port, too, that
 * might get measured, so a second port is tried: another run may have found the same one. A server that ends before it
 * listens is tried without the probe: its runtime may not take it.
 * @throws ScenarioProblem if it can't be started, exits, does not listen within 10 s, or does not hold the port alone.
 */
export async function startServer(...given: Given): Promise<Server> {
  try {
    return await startOnce(true, ...given);
  } catch (error) {
    if (error instanceof SharedPort || error instanceof EndedEarly)
      return await startOnce(error instanceof SharedPort, ...given);
    throw error;
  }
}

type Given = [server: PlannedServer, place: Place, sinkAddress?: string, moreEnv?: Record<string, string>];

async function startOnce(hasProbe: boolean, ...[server, { pinning, listen }, sinkAddress, moreEnv]: Given) {
  const ready = await withServices(server, pinning);
  const port = await getPort();
  // What a server leaves among temporary files goes with its folder.
  const folder = temporaryFolder();
  const own = { ...process.env, ...serverEnv(ready, listen, port, sinkAddress), ...moreEnv, TMPDIR: folder };
  const env = hasProbe ? { ...own, ...probeEnv(folder, own) } : own;
  const startedMs = performance.now();
  const child = new Child(pinned([...server.command], pinning?.serverCore), {
    cwd: server.cwd,
    folder,
    env,
    isServer: true,
  });
  try {
    const what = `listened on ${listen}:${port} (its HOST and PORT)`;
    const failure = await child.unready(what, () => accepts(listen, port), LISTEN_WITHIN_MS);
    if (failure) throw new (child.exit ? EndedEarly : ScenarioProblem)(server.name, 'did not start', failure, REMEDY);
    const listeningAfterMs = performance.now() - startedMs;
    const pid = ownListener(server, child, port);
    return { pid, origin: `http://${listen}:${port}`, child, probe: new Probe(folder, child.pid), listeningAfterMs };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

/** @throws ScenarioProblem if there is no such program: behind taskset, that would look like a server that failed. */
export function checkProgram({ name, command: [program = ''], env, cwd }: PlannedServer): void {
  if (Bun.which(program, { PATH: env.PATH ?? process.env.PATH ?? '', cwd })) return;
  throw new ScenarioProblem(
    name,
    `has no program "${program}" here`,
    '',
    'Install it, or fix the command in the suite',
  );
}

class SharedPort extends ScenarioProblem {}
class EndedEarly extends ScenarioProblem {}

/** Scenarios of which the user was told. */
const open = new Set<string>();

/** A process of this server that holds the port; the child if nothing tells. @throws SharedPort if another does. */
function ownListener({ name }: PlannedServer, child: Child, port: number): number {
  const found = listeners(port);
  if (!found) return child.pid;
  adopt(child.pid);
  const members = new Set(membersOf(child.pid).map(({ pid }) => pid));
  const stranger = found.pids.find((pid) => !members.has(pid));
  const own = found.pids.find((pid) => members.has(pid));
  if (own !== undefined && stranger === undefined) {
    if (found.isOpen && !open.has(name))
      complain(`Warning: ${name} listens on all addresses, so it is open to every network while it runs.`);
    open.add(name);
    return own;
  }
  const holder = stranger === undefined ? 'another process' : `process ${stranger}`;
  throw new SharedPort(name, 'does not hold its port alone', `${holder} may be measured in its place`, REMEDY);
}
