import { max, mean, sum } from 'simple-statistics';
import type { Result } from '../results/schema.ts';
import type { Usage } from '../server/probe.ts';
import { measurementsOf } from './solo.ts';

/** What the servers of one scenario used, by the probes in them. */
export interface ResourceRow {
  scenario: string;
  title: string;
  /** Undefined where no probe told anything. */
  figures: ResourceFigures | undefined;
}

export interface ResourceFigures {
  cpuUserPerRequestUs: number;
  cpuSystemPerRequestUs: number;
  rssBytes: MeanAndPeak;
  heapBytes: MeanAndPeak;
  /** Percentiles: the mean over measurements; `max` the largest. */
  eventLoopDelayUs: { p50: number; p99: number; max: number };
}

interface MeanAndPeak {
  mean: number;
  peak: number;
}

/** One server process, and the requests that it answered meanwhile. */
interface Use {
  usage: Usage;
  requests: number;
}

/** One row for each scenario, from valid solo measurements, or from duets where there are none of those. */
export function resourceRows(result: Result): ResourceRow[] {
  const isSolo = result.soloRounds.length > 0;
  return result.suite.scenarios.map(({ name, title }) => {
    const uses = isSolo ? soloUses(result, name) : duetUses(result, name);
    return { scenario: name, title, figures: uses.length > 0 ? figuresOf(uses) : undefined };
  });
}

function soloUses(result: Result, scenario: string): Use[] {
  return measurementsOf(result, scenario).flatMap(({ usage, load, invalid }) =>
    usage && invalid.length === 0 ? [{ usage, requests: load.requests }] : [],
  );
}

function duetUses({ duetForks }: Result, scenario: string): Use[] {
  const own = duetForks.filter((fork) => fork.scenario === scenario && fork.invalid.length === 0);
  return own.flatMap(({ usage, slices }) => {
    const requests = sum(slices.map((slice) => slice.scenario.load.requests));
    return usage.scenario ? [{ usage: usage.scenario, requests }] : [];
  });
}

function figuresOf(uses: Use[]): ResourceFigures {
  const of = (value: (usage: Usage) => number) => uses.map(({ usage }) => value(usage));
  const requests = sum(uses.map((use) => use.requests));
  return {
    cpuUserPerRequestUs: sum(of(({ cpuUserUs }) => cpuUserUs)) / requests,
    cpuSystemPerRequestUs: sum(of(({ cpuSystemUs }) => cpuSystemUs)) / requests,
    rssBytes: {
      mean: mean(of(({ rssBytes }) => rssBytes.mean)),
      peak: max(of(({ rssBytes }) => rssBytes.max)),
    },
    heapBytes: {
      mean: mean(of(({ heapBytes }) => heapBytes.mean)),
      peak: max(of(({ heapBytes }) => heapBytes.max)),
    },
    eventLoopDelayUs: {
      p50: mean(of(({ eventLoopDelayUs }) => eventLoopDelayUs.p50)),
      p99: mean(of(({ eventLoopDelayUs }) => eventLoopDelayUs.p99)),
      max: max(of(({ eventLoopDelayUs }) => eventLoopDelayUs.max)),
    },
  };
}
