import { readText } from '../words/files.ts';
import { ANSWER_WITHIN_SECONDS, UPLOAD_WITHIN_SECONDS } from './tool.ts';

export type LimitKind = 'large-headers' | 'open-files' | 'ports' | 'interim-answer' | 'slow-answer';

/** A limit that is none of the server's. */
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
      'the load tool may not open so many files: ' + 'raise ulimit -n, or use fewer --connections',
  },
  {
    kind: 'ports',
    pattern: /cannot assign requested address|EADDRNOTAVAIL/i,
    text:
      'this machine has no port left for connections: ' +
      'let the server keep them open, or use a --rate',
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
      `(${UPLOAD_WITHIN_SECONDS} s for a file): use fewer --connections`,
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
}

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
  return { limit: null, detail };
}

/**
 * Returns why a server can't hold so many connections; undefined if it can, or if nothing tells.
 */
export function fileLimit(server: number, connections: number): string | undefined {
  const limits = readText(`/proc/${server}/limits`) ?? '';
  const most = Number(/^Max open files +(\d+)/m.exec(limits)?.[1]);
  if (Number.isNaN(most) || most >= connections + OTHER_FILES) return undefined;
  return (
    `the server may open ${most} files, and has ${connections} connections: ` +
    'raise ulimit -n, or use fewer --connections'
  );
}
