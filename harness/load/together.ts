import type { Host } from '../machine/host.ts';
import type { Latency } from '../result/schema.ts';
import type { LoadResult } from './tool.ts';

interface Part {
  host: Host | undefined;
  result: LoadResult;
}

/**
 * One result of a load that several hosts made at the same time, and what each saw. Requests and errors add up, the mean
 * latency is that of all requests, and percentiles are those of the host that saw the worst.
 */
export function together(parts: Part[]): LoadResult {
  const results = parts.map(({ result }) => result);
  const underWay = results.reduce((sum, each) => sum + (each.underWay ?? 0), 0);
  return {
    requests: results.reduce((sum, { requests }) => sum + requests, 0),
    seconds: Math.max(...results.map(({ seconds }) => seconds)),
    errors: results.flatMap(({ errors }) => errors),
    latencyUs: latencyOf(results),
    ...(underWay > 0 && { underWay }),
    ...(parts.some(({ host }) => host) && { hosts: parts.flatMap(ofHost) }),
  };
}

function ofHost({ host, result: { requests, latencyUs } }: Part) {
  return host ? [{ host: host.name, requests, latencyUs }] : [];
}

/** A percentile that one of them does not tell is null. */
function latencyOf(results: LoadResult[]): Latency | null {
  const answered = results.flatMap(({ requests, latencyUs }) => (latencyUs ? [{ requests, latencyUs }] : []));
  const [first, ...others] = answered;
  if (!first || others.length === 0) return first?.latencyUs ?? null;
  const requests = answered.reduce((sum, each) => sum + each.requests, 0);
  const mean = answered.reduce((sum, each) => sum + (each.requests / requests) * each.latencyUs.mean, 0);
  const names = Object.keys(first.latencyUs) as (keyof Latency)[];
  const worst = names.map((name) => {
    const times = answered.flatMap(({ latencyUs }) => latencyUs[name] ?? []);
    return [name, times.length < answered.length ? null : Math.max(...times)];
  });
  return { ...Object.fromEntries(worst), mean };
}
