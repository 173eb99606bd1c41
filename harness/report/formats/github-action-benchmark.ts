import type { Run } from '../../analysis/analysis.ts';
import { counted } from '../../words/text.ts';
import { asJson } from './json.ts';

/** A figure as that action reads it by the name of `customSmallerIsBetter`. */
interface BenchmarkEntry {
  name: string;
  unit: string;
  value: number;
  extra: string;
}

/**
 * Returns what a request takes of each server. The action divides a figure by that of the commit
 * before. Names are those of the suite: a title may tell a commit or a version.
 */
export function asBenchmarkEntries(run: Run): string {
  return asJson(entriesOf(run));
}

function entriesOf({ header, tasks, pairs }: Run): BenchmarkEntry[] {
  const { suite, tool, environment } = header;
  const load = `${tool.name} ${tool.version}`;
  const extra = `${counted(pairs.measured, 'pair')}, ${load}, ${environment.cpu}`;
  const entries: BenchmarkEntry[] = [];
  for (const { name, baseline, rows } of tasks) {
    for (const { scenario, figures } of [baseline, ...rows]) {
      const path = `${suite.name}/${name}/${scenario}`;
      const cpuUs = figures?.cpuUs;
      const latencyUs = figures?.latencyUs;
      if (cpuUs)
        entries.push({ name: `${path}, server CPU per request`, unit: 'µs', value: cpuUs, extra });
      if (latencyUs)
        entries.push({ name: `${path}, mean latency`, unit: 'ms', value: latencyUs / 1e3, extra });
    }
  }
  return entries;
}
