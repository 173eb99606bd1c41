import { sum } from 'simple-statistics';
import type { Host } from '../machine/host.ts';
import type { Latency } from '../result/schema.ts';
import type { LoadResult } from './tool.ts';

/**
 * One result of a load that several hosts made at the same time. Requests and errors add up, the mean latency is that of
 * all requests, and percentiles are those of the host that saw the worst.
 */
export function together(parts: { host: Host | undefined; result: LoadResult }[]): LoadResult {
  const results = parts.map(({ result }) => result);
  const underWay = sum(results.map((each) => each.underWay ?? 0));
  const hosts = parts.flatMap(({ host, result: { requests, latencyUs } }) =>
    host ? [{ host: host.name, requests, latencyUs }] : [],
  );
  return {
    requests: sum(results.map(({ requests }) => requests)),
    seconds: Math.max(...results.map(({ seconds }) => seconds)),
    errors: results.flatMap(({ errors }) => errors),
    latencyUs: latencyOf(results),
    ...(underWay > 0 && { underWay }),
    ...(hosts.length > 0 && { hosts }),
  };
}

/** A percentile that one of them does not tell is null. */
function latencyOf(results: LoadResult[]): Latency | null {
  const answered = results.flatMap(({ requests, latencyUs }) => (latencyUs ? [{ requests, latencyUs }] : []));
  const [first, ...others] = answered;
  if (!first || others.length === 0) return first?.latencyUs ?? null;
  const totalUs = sum(answered.map(({ requests, latencyUs }) => requests * latencyUs.mean));
  const names = Object.keys(first.latencyUs) as (keyof Latency)[];
  const worst = names.map((name) => {
    const times = answered.flatMap(({ latencyUs }) => latencyUs[name] ?? []);
    return [name, times.length < answered.length ? null : Math.max(...times)];
  });
  return { ...Object.fromEntries(worst), mean: totalUs / sum(answered.map(({ requests }) => requests)) };
}
