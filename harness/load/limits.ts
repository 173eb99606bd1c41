import { clientPortsText, portCount, portRangeIn } from '../machine/client-ports.ts';
import { membersOf, type Process, processes } from '../processes/processes.ts';
import { Problem, ScenarioProblem } from '../words/errors.ts';
import { readText } from '../words/files.ts';
import { ANSWER_WITHIN_SECONDS, UPLOAD_WITHIN_SECONDS } from './tool.ts';

export type LimitKind = 'large-headers' | 'open-files' | 'ports' | 'interim-answer' | 'slow-answer';

/** What goes wrong under load and need not be the server's fault. */
interface Limit {
  kind: LimitKind;
  /** Finds it in what load tools print. */
  pattern: RegExp;
  /** What it is, and what to do about it. */
  text: string;
}

const LIMITS: readonly Limit[] = [
  {
    kind: 'large-headers',
    pattern: /small read buffer|buffer too small|header.*too (large|long|big)/i,
    text:
      'the load tool takes no answer with so large headers (bombardier: 4 kB): ' +
      'choose another with --tool, such as wrk',
  },
  {
    kind: 'open-files',
    pattern: /too many open files|EMFILE/i,
    text:
      'the load tool may not open so many files: ' +
      'raise ulimit -n where it runs, or use fewer --connections',
  },
  {
    kind: 'ports',
    // Go's name for it, if a socket is bound as it connects, is that of a port in use.
    pattern: /cannot assign requested address|EADDRNOTAVAIL|dial .*address already in use/i,
    text:
      'the load tool has no port left for connections: ' +
      'let the server keep them open, or use a --rate, or a lower one',
  },
  {
    kind: 'interim-answer',
    pattern: /^status 1/,
    text:
      'the load tool takes interim answers (status 1xx) for the answer: ' +
      'choose another with --tool, such as vegeta',
  },
  {
    kind: 'slow-answer',
    pattern: /time-?out|timed out|deadline exceeded/i,
    text:
      `no answer within the ${ANSWER_WITHIN_SECONDS} s that the load tool waits ` +
      `(${UPLOAD_WITHIN_SECONDS} s for a file): see what the server waits for, or use fewer --connections`,
  },
];

/** What a program opens beside its connections. */
const OTHER_FILES = 30;
const MAX_LENGTH = 200;

/** What went wrong with a request, by a load tool: a limit, or its own words. */
export interface LoadErrorKind {
  /** Null for what is no limit of the load tool. */
  limit: LimitKind | null;
  detail: string;
  /** Set if the request had no answer because its connection was closed. */
  isClosed?: true;
}

/**
 * What tools say of that: bombardier and Go "closed connection" and "EOF", oha "connection closed",
 * wrk "read error", Locust the name of an exception, and all of them "reset".
 */
const CLOSED_CONNECTION =
  /closed connection|connection ?closed|connection ?reset|broken pipe|\bEOF\b|^(read|write) error$/i;

/**
 * Returns the kind of an error by what a load tool says. Its own words come without what differs
 * from one error to the next, such as ports and identifiers.
 */
export function errorKindOf(message: string): LoadErrorKind {
  const limit = LIMITS.find(({ pattern }) => pattern.test(message));
  if (limit) return { limit: limit.kind, detail: limit.text };
  const withoutAddress = message.replace(/\S+->/, '');
  const plain = withoutAddress.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\b[0-9a-f]{16,}\b/gi, '…');
  const detail = plain.length > MAX_LENGTH ? `${plain.slice(0, MAX_LENGTH)}…` : plain;
  return { limit: null, detail, ...(CLOSED_CONNECTION.test(message) && { isClosed: true }) };
}

/**
 * What each of them has open at least: three standard streams, and what it waits for events with.
 */
const LEAST_OTHER_FILES = 4;

/** What the kernel allows; tests put another in its place. */
interface SystemLimits {
  /** The text of /proc/PID/limits. */
  processLimits: string | undefined;
  /** The first and the last port that clients get (ip(7)); undefined where nothing tells. */
  clientPorts: string | undefined;
}

function systemLimits(): SystemLimits {
  return {
    processLimits: readText('/proc/self/limits'),
    clientPorts: clientPortsText(),
  };
}

/**
 * Refuses more connections than any program that is started here can have: servers and load tools
 * have the limits of this process. What is only near to a limit may do, and is not refused.
 * @throws Problem
 */
export function checkConnections(connections: number, limits = systemLimits()): void {
  const files = mostFiles(limits.processLimits);
  if (connections + LEAST_OTHER_FILES > files)
    throw new Problem(
      `${connections} connections need more open files than the ${files} that a process may have`,
      'Raise ulimit -n, or use fewer --connections',
    );
  if (limits.clientPorts === undefined) return;
  const ports = portCount(portRangeIn(limits.clientPorts));
  if (connections > ports)
    throw new Problem(
      `${connections} connections need more ports than the ${ports} that clients get`,
      'Widen net.ipv4.ip_local_port_range (sysctl), or use fewer --connections',
    );
}

/**
 * Refuses more connections than a server that was started can have, before the load is sent. Each
 * of its processes may hold a part of them.
 * @throws ScenarioProblem
 */
export function checkConnectionsOfServer(
  name: string,
  server: { pid: number; child: { pid: number } },
  connections: number,
): void {
  const files = mostFiles(readText(`/proc/${server.pid}/limits`));
  if (connections + LEAST_OTHER_FILES <= files) return;
  const holders = membersOf(server.child.pid).filter((member) => !isAbove(member, server.pid));
  if (connections + LEAST_OTHER_FILES <= files * holders.length) return;
  throw new ScenarioProblem(
    name,
    `can't hold ${connections} connections`,
    `it may open ${files} files`,
    'Raise ulimit -n where its command sets it, or use fewer --connections',
  );
}

/** Returns whether the process started the other one, itself or through others. */
function isAbove({ pid }: Process, other: number): boolean {
  const parentOf = (one: number) => processes().get(one)?.parent ?? 0;
  for (let above = parentOf(other); above > 1; above = parentOf(above))
    if (above === pid) return true;
  return false;
}

/** Infinity if nothing tells. */
function mostFiles(limits: string | undefined): number {
  return Number(/^Max open files +(\d+)/m.exec(limits ?? '')?.[1] ?? Number.POSITIVE_INFINITY);
}

/**
 * Returns why a server can't hold so many connections; undefined if it can, or if nothing tells.
 */
export function fileLimit(server: number, connections: number): string | undefined {
  const most = mostFiles(readText(`/proc/${server}/limits`));
  if (most >= connections + OTHER_FILES) return undefined;
  return (
    `the server may open ${most} files, and has ${connections} connections: ` +
    'raise ulimit -n, or use fewer --connections'
  );
}
