import { connect } from 'node:net';
import getPort from 'get-port';
import { Child } from '../machine/child.ts';
import { type Pinning, pinned } from '../machine/pinning.ts';
import { Problem } from '../problem.ts';
import type { Scenario } from '../suite/suite-schema.ts';
import { listeners } from './port.ts';
import { Probe } from './probe.ts';

const LISTEN_WITHIN_MS = 10_000;
const POLL_MS = 10;

/** One running server process, fresh for this measurement. */
export interface Server {
  /** The process that holds the port: the child itself, or one that it started. */
  pid: number;
  port: number;
  child: Child;
  probe: Probe;
}

/** The command that starts the scenario's server, pinned if that is wanted. */
export function serverArgv(scenario: Scenario, pinning: Pinning | undefined): string[] {
  return pinned(scenario.command, pinning?.serverCore);
}

/**
 * What a server's environment has beyond the user's own: the port, and production mode, since development
 * mode costs. Variables of OpenTelemetry are kept out, since they would change what is measured.
 */
export function serverEnv(scenario: Scenario, port: number): Record<string, string> {
  return { ...scenario.env, PORT: String(port), NODE_ENV: 'production' };
}

function fullEnv(scenario: Scenario, port: number): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('OTEL_'));
  return { ...Object.fromEntries(inherited), ...serverEnv(scenario, port) };
}

/**
 * Starts the scenario's server on a free port, with the probe in it, and waits until it listens there. `moreEnv` goes
 * before all other variables.
 * @throws Problem if it can't be started, exits, or does not listen within 10 s, with the end of its stderr; and if
 * another process holds the port too, since that one might get measured.
 */
export async function startServer(
  scenario: Scenario,
  cwd: string,
  pinning: Pinning | undefined,
  moreEnv: Record<string, string> = {},
): Promise<Server> {
  const port = await getPort();
  const env = { ...fullEnv(scenario, port), ...moreEnv };
  checkProgram(scenario, cwd, env.PATH);
  const probe = new Probe();
  const child = new Child(serverArgv(scenario, pinning), { cwd, env: { ...env, ...probe.env(env) } });
  void child.exited.then(() => probe.remove());
  try {
    await untilListening(scenario, child, port);
    const pid = ownListener(scenario, child, port);
    probe.attach(pid);
    return { pid, port, child, probe };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

/** Looked for beforehand: once behind taskset, a missing program would look like a server that failed. */
function checkProgram({ name, command: [program = ''] }: Scenario, cwd: string, path: string | undefined): void {
  if (Bun.which(program, { PATH: path ?? '', cwd })) return;
  throw new Problem(
    `Scenario ${name}: there is no program "${program}"`,
    'Install it, or fix the command in the suite',
  );
}

async function untilListening(scenario: Scenario, child: Child, port: number): Promise<void> {
  const deadline = performance.now() + LISTEN_WITHIN_MS;
  while (!(await accepts(port))) {
    if (child.exit) {
      throw failure(scenario, child, `ended with ${describeExit(child)} before it listened on 127.0.0.1:${port}`);
    }
    if (performance.now() > deadline) {
      throw failure(
        scenario,
        child,
        `does not listen on 127.0.0.1:${port} (its PORT) within ${LISTEN_WITHIN_MS / 1000} s`,
      );
    }
    await Bun.sleep(POLL_MS);
  }
}

/** The process of this server that holds the port; the child's own if the system can't tell. */
function ownListener(scenario: Scenario, child: Child, port: number): number {
  const all = listeners(port);
  if (!all) return child.pid;
  const stranger = all.find(({ groupId }) => groupId !== child.pid);
  const own = all.find(({ groupId }) => groupId === child.pid);
  if (stranger || !own) {
    const holder = stranger ? `process ${stranger.pid}` : 'another process';
    throw failure(scenario, child, `does not hold port ${port} alone: ${holder} listens there and would be measured`);
  }
  return own.pid;
}

/** How the server's process ended, in words. */
export function describeExit({ exit }: Child): string {
  return exit?.signal ? `signal ${exit.signal}` : `status ${exit?.code}`;
}

function failure(scenario: Scenario, child: Child, what: string): Problem {
  const complaint = child.complaint();
  const detail = complaint ? `; it said: ${complaint}` : '; it said nothing';
  return new Problem(
    `The server of scenario ${scenario.name} ${what}${detail}`,
    `Start it by hand to see why: ${scenario.command.join(' ')}`,
  );
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const finish = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}
