import getPort from 'get-port';
import { Child } from '../machine/child.ts';
import { type Pinning, pinned } from '../machine/pinning.ts';
import { temporaryFolder } from '../machine/watchdog.ts';
import { Problem } from '../problem.ts';
import type { Scenario } from '../suite/suite-schema.ts';
import { listeners } from './port.ts';
import { Probe, probeEnv } from './probe.ts';

const LISTEN_WITHIN_MS = 10_000;
const REMEDY = 'Start it by hand to see why: --dry-run prints its command';

/** One running server process, fresh for this measurement. */
export type Server = Awaited<ReturnType<typeof startServer>>;

/** Where servers listen unless the user names another address: no other host reaches it. */
export const LOOPBACK = '127.0.0.1';

/** Where servers run and listen. */
export interface Place {
  suite: { cwd: string };
  pinning: Pinning | undefined;
  /** An address of this machine. */
  listen: string;
}

/** What a server's environment has beyond the user's own: its address, and production mode, since development mode costs. */
export function serverEnv(scenario: Scenario, listen: string, port: number): Record<string, string> {
  return { ...scenario.env, HOST: listen, PORT: String(port), NODE_ENV: 'production' };
}

/**
 * Starts the scenario's server on a free port, with the probe in it, and waits until it listens. `moreEnv` goes before
 * all other variables. `pid` is the process that holds the port: the child or one that it started. If another process
 * holds the port, too, it might get measured, so a second port is tried: another run may have found the same one.
 * @throws Problem if it can't be started, exits, does not listen within 10 s, or does not hold the port alone.
 */
export async function startServer(scenario: Scenario, place: Place, moreEnv: Record<string, string> = {}) {
  const start = () => startOn(scenario, place, moreEnv);
  return start().catch((error) => (error instanceof SharedPort ? start() : Promise.reject(error)));
}

/** On a port that is free now. */
async function startOn(scenario: Scenario, { suite, pinning, listen }: Place, moreEnv: Record<string, string>) {
  const port = await getPort();
  const cwd = scenario.cwd ?? suite.cwd;
  // Without variables of the user's that tracers read: they would change what is measured.
  const own = Object.entries(process.env).filter(([name]) => !/^(OTEL|SENTRY|DD)_/.test(name));
  const env = { ...Object.fromEntries(own), ...serverEnv(scenario, listen, port), ...moreEnv };
  const folder = temporaryFolder();
  const command = pinned(scenario.command, pinning?.serverCore);
  const startedMs = performance.now();
  // What a server leaves among temporary files goes with its folder.
  const child = new Child(command, { cwd, env: { ...env, TMPDIR: folder, ...probeEnv(folder, env) }, folder });
  try {
    const what = `listened on ${listen}:${port} (its HOST and PORT)`;
    const failure = await child.unready(what, () => accepts(listen, port), LISTEN_WITHIN_MS);
    if (failure) throw new Problem(`The server of scenario ${scenario.name} ${failure}`, REMEDY);
    const listeningAfterMs = performance.now() - startedMs;
    const pid = ownListener(scenario, child, port);
    const probe = new Probe(folder, pid);
    return { pid, origin: `http://${listen}:${port}`, child, probe, listeningAfterMs };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

/** @throws Problem if there is no such program: once behind taskset, that would look like a server that failed. */
export function checkProgram({ name, command: [program = ''], env, cwd }: Scenario, suiteCwd: string): void {
  const place = { PATH: env.PATH ?? process.env.PATH ?? '', cwd: cwd ?? suiteCwd };
  if (Bun.which(program, place)) return;
  throw new Problem(`Scenario ${name} has no program "${program}" here`, 'Install it, or fix the command in the suite');
}

class SharedPort extends Problem {}

/** The process of this server that holds the port; the child if nothing tells. @throws SharedPort if another does. */
function ownListener({ name }: Scenario, child: Child, port: number): number {
  const all = listeners(port);
  if (!all) return child.pid;
  const stranger = all.find(({ groupId }) => groupId !== child.pid);
  const own = all.find(({ groupId }) => groupId === child.pid);
  if (own && !stranger) return own.pid;
  const holder = stranger ? `process ${stranger.pid}` : 'another process';
  throw new SharedPort(
    `The server of scenario ${name} does not hold port ${port} alone: ${holder} may be measured in its place`,
    REMEDY,
  );
}

async function accepts(hostname: string, port: number): Promise<boolean> {
  const socket = await Bun.connect({ hostname, port, socket: { data() {} } }).catch(() => undefined);
  socket?.end();
  return socket !== undefined;
}
