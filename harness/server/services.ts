import { sum } from 'simple-statistics';
import { freePort } from '../machine/free-port.ts';
import { LOOPBACK } from '../machine/loopback.ts';
import { type Pinning, pinned } from '../machine/pinning.ts';
import { watchCpu } from '../machine/process-clock.ts';
import type { PlannedServer } from '../plan/planned-server.ts';
import { Child } from '../processes/child.ts';
import { adopt } from '../processes/processes.ts';
import { temporaryFolder } from '../processes/watchdog.ts';
import type { Service } from '../suite/suite.ts';
import { orUndefined, Problem, ScenarioProblem } from '../words/errors.ts';
import { environmentOf } from './environment.ts';
import { acceptsConnections } from './port.ts';

/** A database may create its files first. */
const LISTEN_WITHIN_MS = 60_000;
const REMEDY = 'Install what it needs, or fix its command in the suite';

/** A service that was started, whether or not it listens. */
interface RunningService {
  /** Where it listens, as host and port. */
  address: string;
  child: Child;
  /** Why it did not listen in time; undefined if it did. */
  failure: string | undefined;
}

/**
 * Services of this process. Each is started when a server first needs it, is shared by all servers
 * that name it, and lives until the command ends, as all children do.
 */
const services = new Map<Service, Promise<RunningService>>();
/** The processes of these services, of those that are still starting, too. */
export const serviceProcesses: Child[] = [];

/**
 * Returns the server with addresses in place of the services that it names, which listen.
 * @throws ScenarioProblem if one does not, or if its program is not there
 */
export async function withServices(
  server: PlannedServer,
  pinning: Pinning | undefined,
): Promise<PlannedServer> {
  let reachable = server;
  for (const service of server.services) {
    const placeholder = `{service:${service.name}}`;
    if (!names(server, placeholder)) continue;
    const running = await runningFor(server, service, pinning);
    const reason = await unreachableReason(running);
    if (reason) throw new ScenarioProblem(server.name, `has no ${service.name}`, reason, REMEDY);
    reachable = withAddress(reachable, placeholder, running.address);
  }
  return reachable;
}

/** Whether the server's command or environment has the placeholder. */
function names({ command, env }: PlannedServer, placeholder: string): boolean {
  return [...command, ...Object.values(env)].some((value) => value.includes(placeholder));
}

function withAddress(server: PlannedServer, placeholder: string, address: string): PlannedServer {
  const fill = (value: string) => value.replaceAll(placeholder, address);
  const env = Object.entries(server.env).map(([name, value]) => [name, fill(value)]);
  return { ...server, command: server.command.map(fill), env: Object.fromEntries(env) };
}

async function runningFor(
  server: PlannedServer,
  service: Service,
  pinning: Pinning | undefined,
): Promise<RunningService> {
  try {
    return await runningService(service, pinning);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new ScenarioProblem(server.name, `has no ${service.name}`, error.message, REMEDY);
  }
}

function runningService(service: Service, pinning: Pinning | undefined): Promise<RunningService> {
  const running = services.get(service) ?? startService(service, pinning);
  services.set(service, running);
  return running;
}

/** Returns why the service can't be reached; undefined if it can. */
async function unreachableReason({
  failure,
  address,
  child,
}: RunningService): Promise<string | undefined> {
  if (failure) return failure;
  if (await listensAt(address)) return undefined;
  return `it listens no more; ${child.output.lastLines()}`;
}

function listensAt(address: string): Promise<boolean> {
  return acceptsConnections(LOOPBACK, Number(address.split(':')[1]));
}

/** Starts the service on the load tool's cores, and waits until it listens, or does not. */
async function startService(
  { command, cwd }: Service,
  pinning: Pinning | undefined,
): Promise<RunningService> {
  const port = await freePort();
  const folder = temporaryFolder();
  const env = {
    ...process.env,
    ...environmentOf({ cwd, command, env: { TMPDIR: folder } }, LOOPBACK, port),
  };
  const child = new Child(pinned(command, pinning?.toolCores), { cwd, folder, env });
  serviceProcesses.push(child);
  const address = `${LOOPBACK}:${port}`;
  const failure = await child.readinessFailure(
    'listened',
    () => listensAt(address),
    LISTEN_WITHIN_MS,
  );
  // A service that put itself into the background is no child of the harness any more.
  adopt(child.pid);
  return { address, child, failure };
}

/**
 * Returns what reads how much CPU time in ns all services used since this call; it reads 0 without
 * a clock. A service may log each request of a whole run, so what it said before is let go.
 */
export function watchServices(): () => number {
  const readers = serviceProcesses.map(({ pid }) => watchCpu(pid));
  return () => {
    for (const { output } of serviceProcesses) orUndefined(() => output.trim());
    return sum(readers.map((read) => read().ns ?? 0));
  };
}
