import { type PlannedServer, withAddresses } from '../plan/planned-server.ts';
import { programOf } from '../software/runtimes.ts';
import { ScenarioProblem } from '../words/errors.ts';
import { environmentOf } from './environment.ts';

/** A word that a shell alone understands. */
const SHELL_OPERATOR = /^(\|\|?|&&?|;|\d?>>?(&\d)?|<)$/;
const SHELL_REMEDY = 'Leave that out, or write "sh", "-c" and the line as one string';
const PROGRAM_REMEDY =
  'Install it, build it by "prepare", name it in "files" if git ignores it, or fix the command: ' +
  'variables go into "env", and each argument is a string of its own';

/** How a server is started. */
export interface ServerLaunch {
  command: string[];
  /** What it has in place of the user's variables; undefined for one that it does not have. */
  env: Record<string, string | undefined>;
}

/** Returns how a server is started that listens there. */
export function launchOf(
  server: PlannedServer,
  host: string,
  port: number,
  sinkAddress = '',
): ServerLaunch {
  const addresses = { host, port: String(port), sink: sinkAddress };
  const { command, env } = withAddresses(server, addresses);
  return { command, env: environmentOf({ cwd: server.cwd, command, env }, host, port) };
}

/**
 * Checks a server's command before it is started: behind taskset, one without a program looks like
 * a server that failed.
 * @throws ScenarioProblem if there is no such program, or if the command is one for a shell
 */
export function checkProgram(server: PlannedServer): void {
  const { name, command } = server;
  if (command.some((word) => SHELL_OPERATOR.test(word))) {
    const what = 'has a command for a shell, and none reads it';
    throw new ScenarioProblem(name, what, '', SHELL_REMEDY);
  }
  if (programOf(server) === null)
    throw new ScenarioProblem(
      name,
      `has no program "${command[0] ?? ''}" here`,
      '',
      PROGRAM_REMEDY,
    );
}
