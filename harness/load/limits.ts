import { readText } from '../words/files.ts';
import { ANSWER_WITHIN_SECONDS, UPLOAD_WITHIN_SECONDS } from './tool.ts';

/** Limits that are none of the server's, with the remedy, and what load tools print of them. */
const LIMITS: Record<string, RegExp> = {
  'the load tool takes no answer with so large headers (bombardier: 4 kB): choose another with --tool, such as wrk':
    /small read buffer|buffer too small|header.*too (large|long|big)/i,
  'the load tool may not open so many files: raise ulimit -n, or use fewer --connections':
    /too many open files|EMFILE/i,
  'this machine has no port left for connections: let the server keep them open, or use a --rate':
    /cannot assign requested address|EADDRNOTAVAIL/i,
  [`no answer within the ${ANSWER_WITHIN_SECONDS} s that the load tool waits (${UPLOAD_WITHIN_SECONDS} s for a file): use fewer --connections`]:
    /time-?out|timed out|deadline exceeded/i,
};
/** What a program opens beside its connections. */
const OTHER_FILES = 30;
const MAX_LENGTH = 200;

/**
 * The kind of an error, by what a load tool says: a limit, or its words without what differs from one to the next, such as
 * ports and identifiers.
 */
export function kindOf(said: string): string {
  const [limit] = Object.entries(LIMITS).find(([, pattern]) => pattern.test(said)) ?? [];
  const plain = said
    .replace(/\S+->/, '')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\b[0-9a-f]{16,}\b/gi, '…');
  return limit ?? (plain.length > MAX_LENGTH ? `${plain.slice(0, MAX_LENGTH)}…` : plain);
}

/** Whether this kind of error is a limit of the load tool, and none of the server. */
export function isLimit(kind: string): boolean {
  return Object.hasOwn(LIMITS, kind);
}

/** Why a server can't hold so many connections; undefined if it can, or if nothing tells. */
export function fileLimit(server: number, connections: number): string | undefined {
  const most = Number(
    /^Max open files +(\d+)/m.exec(readText(`/proc/${server}/limits`) ?? '')?.[1],
  );
  if (!(most < connections + OTHER_FILES)) return undefined;
  return `the server may open ${most} files, and has ${connections} connections: raise ulimit -n, or use fewer --connections`;
}
