import { max, mean, sum } from 'simple-statistics';
import type { Pair, Side } from '../result/schema.ts';
import { busyShare, cpuPerRequestUs, isWhole, meanLatencyUs, meanOrNull, throughput } from './differences.ts';
import type { Figures, Resources } from './model.ts';

/** What the servers on one side of these pairs did; null if there are no pairs. */
export function figuresOf(pairs: Pair[], side: Side): Figures | null {
  if (pairs.length === 0) return null;
  return {
    latencyUs: latencyOf(pairs, side),
    throughput: meanOrNull(pairs.map(({ alternating }) => throughput(alternating, side))),
    cpuUs: meanOrNull(pairs.map(({ duets }) => cpuPerRequestUs(duets, side))),
    busyShare: meanOrNull(pairs.map(({ alternating }) => busyShare(alternating, side))),
    resources: resourcesOf(pairs, side),
  };
}

/** The mean is that of the pairs, as in their differences; percentiles are means over all slices. */
function latencyOf(pairs: Pair[], side: Side): Figures['latencyUs'] {
  const meanUs = meanOrNull(pairs.map(({ alternating }) => meanLatencyUs(alternating, side)));
  if (meanUs === null) return null;
  const slices = pairs.flatMap(({ alternating }) => alternating.map((slice) => slice[side].latencyUs));
  const meanOf = (name: 'p50' | 'p95' | 'p99') => meanOrNull(slices.map((latency) => latency?.[name] ?? null));
  const slowest = slices.map((latency) => latency?.max ?? null);
  return {
    mean: meanUs,
    p50: meanOf('p50'),
    p95: meanOf('p95'),
    p99: meanOf('p99'),
    max: isWhole(slowest) ? max(slowest) : null,
  };
}

/** From the pairs whose probe told something; null if none did. */
function resourcesOf(pairs: Pair[], side: Side): Resources | null {
  const told = pairs.flatMap((pair) => {
    const usage = pair.usage[side];
    return usage ? [{ usage, requests: requestsOf(pair, side) }] : [];
  });
  const requests = sum(told.map((each) => each.requests));
  if (requests === 0) return null;
  const usages = told.map(({ usage }) => usage);
  const perRequest = (of: 'cpuUserUs' | 'cpuSystemUs') => sum(usages.map((usage) => usage[of])) / requests;
  const memory = (of: 'rssBytes' | 'heapBytes') => ({
    mean: mean(usages.map((usage) => usage[of].mean)),
    max: max(usages.map((usage) => usage[of].max)),
  });
  const delays = usages.map(({ eventLoopDelayUs }) => eventLoopDelayUs);
  return {
    cpuUserUs: perRequest('cpuUserUs'),
    cpuSystemUs: perRequest('cpuSystemUs'),
    rssBytes: memory('rssBytes'),
    heapBytes: memory('heapBytes'),
    eventLoopDelayUs: {
      p50: mean(delays.map(({ p50 }) => p50)),
      p99: mean(delays.map(({ p99 }) => p99)),
      max: max(delays.map((delay) => delay.max)),
    },
  };
}

/** The requests of all slices, which is what the probe watches. */
function requestsOf({ alternating, duets }: Pair, side: Side): number {
  return sum([...alternating, ...duets].map((slice) => slice[side].requests));
}
