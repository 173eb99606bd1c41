import type { Run } from '../analysis/analysis.ts';
import { isOfRevisions, serversOf } from '../analysis/rows.ts';
import type { ExportMode, Proof } from '../result/schema.ts';
import { capitalized, counted } from '../words/text.ts';

/** A server that proved its claims before anything was measured. */
export interface ProvenServer {
  title: string;
  proof: Proof;
  export: ExportMode;
}

/**
 * Returns the servers with a proof. The scenarios of two revisions have the same titles in all
 * tasks, so labels stand there.
 */
export function provenServers({ tasks, header }: Run): ProvenServer[] {
  const needsLabel = isOfRevisions(header.suite);
  return tasks.flatMap(serversOf).flatMap(({ title, label, proof, export: mode }) => {
    if (!proof) return [];
    return [{ title: needsLabel ? label : title, proof, export: mode }];
  });
}

/**
 * Returns the connections of the load tool on a server alone; empty if not all tasks have the same.
 */
export function connectionsText({ tasks }: Run): string {
  const [common = 0, ...others] = new Set(tasks.map((task) => task.connections));
  return others.length > 0 ? '' : counted(common, 'connection');
}

/** Returns the runtimes of the servers: `Bun 1.4.5`. */
export function runtimeTexts({ header: { suite } }: Run): string[] {
  const runtimes = suite.scenarios.flatMap(({ runtime }) => runtime ?? []);
  return runtimes.map(({ name, version }) => `${capitalized(name)} ${version}`);
}

/** Returns the texts as a list, each once. */
export function listOnce(texts: readonly string[]): string {
  return [...new Set(texts)].join(', ');
}
