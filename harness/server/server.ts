import { join } from 'node:path';
import getPort from 'get-port';
import { Child } from '../machine/child.ts';
import { type Pinning, pinned } from '../machine/pinning.ts';
import { readText } from '../machine/read.ts';
import { temporaryFolder } from '../machine/watchdog.ts';
import type { Environment } from '../result/schema.ts';
import { filled, type PlannedServer } from '../suite/planned.ts';
import { ScenarioProblem } from '../words/errors.ts';
import { listeners } from './port.ts';
import { Probe, probeEnv } from './probe.ts';

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

/** Variables of the user's that tracers read: servers don't get them, since they would change what is measured. */
const OF_TRACERS = /^(OTEL|SENTRY|DD)_/;

/** What a server's environment has beyond the user's own. In production mode, since development mode costs. */
export function serverEnv(server: PlannedServer, listen: string, port: number, sinkAddress?: string) {
  return { ...filled(server, sinkAddress), HOST: listen, PORT: String(port), NODE_ENV: 'production' };
}

/** Names of variables that no server gets, and of those that `.env` files in these folders supply to Bun's servers. */
export function variablesIn(folders: string[]): Environment['variables'] {
  const files = ['.env', '.env.production', '.env.local', '.env.production.local'];
  const texts = folders.flatMap((folder) => files.flatMap((file) => readText(join(folder, file)) ?? []));
  const supplied = texts.flatMap((text) =>
    [...text.matchAll(/^\s*(?:export\s+)?([\w.]+)\s*=/gm)].map(([, name]) => `${name}`),
  );
  const removed = Object.keys(process.env).filter((name) => OF_TRACERS.test(name));
  return { removed: removed.sort(), supplied: [...new Set(supplied)].sort() };
}

/**
 * Starts the server on a free port, with the probe in it, and waits until it listens. `moreEnv` goes before all other
 * variables. `pid` is the process that holds the port: the child or one that it started. If another process holds the
 * port, too, it might get measured, so a second port is tried: another run may have found the same one.
 * @throws ScenarioProblem if it can't be started, exits, does not listen within 10 s, or does not hold the port alone.
 */
export function startServer(...server: Parameters<typeof startOnce>): Promise<Server> {
  const again = (error: unknown) => (error instanceof SharedPort ? startOnce(...server) : Promise.reject(error));
  return startOnce(...server).catch(again);
}

async function startOnce(
  server: PlannedServer,
  { pinning, listen }: Place,
  sinkAddress?: string,
  moreEnv: Record<string, string> = {},
) {
  const port = await getPort();
  const users = Object.entries(process.env).filter(([name]) => !OF_TRACERS.test(name));
  const env = { ...Object.fromEntries(users), ...serverEnv(server, listen, port, sinkAddress), ...moreEnv };
  // What a server leaves among temporary files goes with its folder.
  const folder = temporaryFolder();
  const options = { cwd: server.cwd, folder, env: { ...env, TMPDIR: folder, ...probeEnv(folder, env) } };
  const startedMs = performance.now();
  const child = new Child(pinned([...server.command], pinning?.serverCore), options);
  try {
    const what = `listened on ${listen}:${port} (its HOST and PORT)`;
    const failure = await child.unready(what, () => accepts(listen, port), LISTEN_WITHIN_MS);
    if (failure) throw new ScenarioProblem(server.name, 'did not start', failure, REMEDY);
    const listeningAfterMs = performance.now() - startedMs;
    const pid = ownListener(server, child, port);
    return { pid, origin: `http://${listen}:${port}`, child, probe: new Probe(folder, pid), listeningAfterMs };
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

/** The process of this server that holds the port; the child if nothing tells. @throws SharedPort if another does. */
function ownListener({ name }: PlannedServer, child: Child, port: number): number {
  const all = listeners(port);
  if (!all) return child.pid;
  const stranger = all.find(({ groupId }) => groupId !== child.pid);
  const own = all.find(({ groupId }) => groupId === child.pid);
  if (own && !stranger) return own.pid;
  const holder = stranger ? `process ${stranger.pid}` : 'another process';
  throw new SharedPort(name, 'does not hold its port alone', `${holder} may be measured in its place`, REMEDY);
}

async function accepts(hostname: string, port: number): Promise<boolean> {
  const socket = await Bun.connect({ hostname, port, socket: { data() {} } }).catch(() => undefined);
  socket?.end();
  return socket !== undefined;
}
