import { sum } from 'simple-statistics';
import type { Loaded } from '../result/schema.ts';
import { errorKindOf, type LoadErrorKind } from './limits.ts';
import type { LoadFailure, Report } from './tool.ts';

/** So many kinds of errors are told apart; the rest is added up. */
const MAX_ERROR_KINDS = 10;

/** Errors of one kind. */
export interface LoadError extends LoadErrorKind {
  count: number;
}

/** One run of the load tool, as the result keeps it. CPU time and sleeps are those of the tool. */
export interface LoadResult
  extends Pick<
    Loaded,
    'requests' | 'seconds' | 'underWay' | 'latencyUs' | 'toolCpuNs' | 'toolSleeps'
  > {
  /** The most frequent stand first. */
  errors: LoadError[];
  /** Set if the load tool told of no request. If it failed, the server may have done nothing wrong. */
  failedAs?: LoadFailure;
}

/**
 * Returns a report as the result keeps it. Answers outside 2xx are errors, beside requests without
 * an answer.
 */
export function loadResult({
  seconds,
  statuses,
  failures,
  latencyUs,
  underWay = 0,
  used,
  failedAs,
}: Report): LoadResult {
  const requests = sum(Object.values(statuses));
  const errors = errorsByKind(statuses, failures);
  return {
    requests,
    seconds,
    errors: failedAs === 'load-tool-failed' ? errors.map(withoutClosed) : errors,
    underWay,
    // Tools print the "latency" of a refused connection, too: it is none of an answer.
    latencyUs: requests > 0 ? latencyUs : null,
    toolCpuNs: used?.cpuNs ?? 0,
    toolSleeps: used?.sleeps ?? null,
    ...(failedAs && { failedAs }),
  };
}

/** A load host whose connection is closed says nothing of the server's connections. */
function withoutClosed({ isClosed: _isClosed, ...error }: LoadError): LoadError {
  return error;
}

/** Tools tell the same kind thousands of times, each with a port or an identifier of its own. */
function errorsByKind(statuses: Report['statuses'], failures: Report['failures']): LoadError[] {
  const messages = [
    ...Object.entries(statuses)
      .filter(([status]) => !status.startsWith('2'))
      .map(([status, count]): [string, number] => [`status ${status}`, count]),
    ...Object.entries(failures),
  ];
  const byDetail = new Map<string, LoadError>();
  for (const [message, count] of messages) {
    const kind = errorKindOf(message);
    const before = byDetail.get(kind.detail)?.count ?? 0;
    byDetail.set(kind.detail, { ...kind, count: before + count });
  }
  const errors = [...byDetail.values()]
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count);
  const kept = errors.slice(0, MAX_ERROR_KINDS);
  const others = sum(errors.slice(MAX_ERROR_KINDS).map(({ count }) => count));
  return others > 0 ? [...kept, { limit: null, detail: 'other errors', count: others }] : kept;
}
