import { sum } from 'simple-statistics';
import { watchGroup } from '../machine/cpu-time.ts';
import { freePort } from '../machine/free-port.ts';
import { type Pinning, pinned } from '../machine/pinning.ts';
import type { PlannedServer } from '../plan/planned-server.ts';
import { Child } from '../processes/child.ts';
import { adopt } from '../processes/processes.ts';
import { temporaryFolder } from '../processes/watchdog.ts';
import type { Service } from '../suite/suite.ts';
import { ScenarioProblem } from '../words/errors.ts';
import { environmentOf } from './environment.ts';
import { accepts } from './port.ts';

const HOST = '127.0.0.1';
const LISTEN_WITHIN_MS = 60_000;
const REMEDY = 'Install what it needs, or fix its command in the suite';

/** Each is started when a server first needs it, and lives until the command ends, as all children do. */
const started = new Map<Service, ReturnType<typeof start>>();
export const running: Child[] = [];

/** The server with the addresses of services that it names; these listen. @throws ScenarioProblem if one does not start. */
export async function withServices(
  server: PlannedServer,
  pinning: Pinning | undefined,
): Promise<PlannedServer> {
  let { command, env } = server;
  for (const service of server.services) {
    const name = `{service:${service.name}}`;
    if (![...command, ...Object.values(env)].some((value) => value.includes(name))) continue;
    const starting = started.get(service) ?? start(service, pinning);
    started.set(service, starting);
    const { address, isUp, child, failure } = await starting;
    const fault =
      failure ?? ((await isUp()) ? undefined : `it listens no more; ${child.lastWords()}`);
    if (fault) throw new ScenarioProblem(server.name, `has no ${service.name}`, fault, REMEDY);
    command = command.map((word) => word.replaceAll(name, address));
    env = Object.fromEntries(
      Object.entries(env).map(([key, value]) => [key, value.replaceAll(name, address)]),
    );
  }
  return { ...server, command, env };
}

/** Where it listens, on the load tool's cores, and why it does not. */
async function start({ command, cwd }: Service, pinning: Pinning | undefined) {
  const port = await freePort();
  const folder = temporaryFolder();
  const env = {
    ...process.env,
    ...environmentOf({ cwd, command, env: { TMPDIR: folder } }, HOST, port),
  };
  const child = new Child(pinned(command, pinning?.toolCores), { cwd, folder, env });
  running.push(child);
  const isUp = () => accepts(HOST, port);
  const failure = await child.unready('listened', isUp, LISTEN_WITHIN_MS);
  // As of a server that listens: what put itself into the background is nobody else's.
  adopt(child.pid);
  return { address: `${HOST}:${port}`, isUp, child, failure };
}

/** Returns what tells how much CPU time in ns all services used since; 0 without a clock. */
export function watchServices(): () => number {
  const used = running.map(({ pid }) => watchGroup(pid));
  return () => sum(used.map((each) => each().ns ?? 0));
}
