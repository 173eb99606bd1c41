import { max, min } from 'simple-statistics';
import { isByRule } from '../analysis/aims.ts';
import type { Run } from '../analysis/analysis.ts';
import { coresText, processorText } from '../analysis/machine-text.ts';
import { rowsWithNoiseFloor } from '../analysis/rows.ts';
import { counted } from '../words/text.ts';
import { listOnce, provenServers, runtimeTexts } from './run-facts.ts';

/** Returns a line with the number of pairs, the load tool, runtimes, machine and date. */
export function factsLine(run: Run): string {
  const { environment, startedAt } = run.header;
  const facts = [
    `${pairsText(run)} per row`,
    ...exportTexts(run),
    ...metricsTexts(run),
    ...profilesTexts(run),
    ...toolTexts(run),
    ...runtimeTexts(run),
    processorText(environment),
    coresText(environment),
    startedAt.slice(0, 10),
  ];
  return `${listOnce(facts)}.`;
}

/** Returns the load tool, and the one of steady rates if that is another. */
function toolTexts({ header: { tool, toolAtRates } }: Run): string[] {
  const host = tool.host === null ? '' : ` on ${tool.host}`;
  const textOf = ({ name, version }: typeof tool) => `${name} ${version}${host}`;
  return toolAtRates ? [textOf(tool), `${textOf(toolAtRates)} at steady rates`] : [textOf(tool)];
}

/** Returns how many pairs a row with figures has: a range, if their number was not fixed. */
function pairsText({ tasks, header }: Run): string {
  const rows = tasks.flatMap(rowsWithNoiseFloor);
  const withFigures = rows.filter(({ faults, pairs }) => faults.length === 0 && pairs.length > 0);
  const counts = (withFigures.length > 0 ? withFigures : rows).map((row) => row.pairs.length);
  const most = max([0, ...counts]);
  const least = min([most, ...counts]);
  // Of a fixed number, a row has fewer if it was given up, or the run ended early: warnings tell.
  const isRange = isByRule(header.configuration) && least < most;
  return isRange ? `${least} to ${counted(most, 'pair')}` : counted(most, 'pair');
}

/** Returns what became of spans, if that was the same for all servers that record some. */
function exportTexts(run: Run): string[] {
  const recording = provenServers(run).filter(({ proof }) => proof.spans > 0);
  const texts = new Set(
    recording.map((server) => (server.export === 'none' ? 'spans not exported' : 'spans exported')),
  );
  return texts.size === 1 ? [...texts] : [];
}

/** Says in how many pairs metrics were sent. Nothing is said of files that don't know. */
function metricsTexts({ tasks }: Run): string[] {
  const recording = tasks
    .flatMap(({ rows }) => rows)
    .filter((row) => row.export !== 'none' && row.proof && row.proof.metrics.length > 0);
  const sent = recording.flatMap((row) =>
    row.pairs.flatMap(({ exported }) => exported.scenario?.metricPayloads ?? []),
  );
  return seldomTexts('metrics', sent);
}

function profilesTexts({ tasks }: Run): string[] {
  const profiled = tasks.flatMap(({ rows }) => rows).filter(({ proof }) => proof?.profiles);
  const sent = profiled.flatMap((row) =>
    row.pairs.flatMap(({ exported: { scenario } }) => (scenario ? (scenario.profiles ?? 0) : [])),
  );
  return seldomTexts('profiles', sent);
}

/**
 * Says in how many pairs something was sent while servers were measured, if not in all: most
 * servers send it once a minute, and pairs don't last as long.
 */
function seldomTexts(what: string, sentByPair: readonly number[]): string[] {
  const pairsWith = sentByPair.filter((count) => count > 0).length;
  if (pairsWith === sentByPair.length) return [];
  return [
    pairsWith === 0
      ? `${what} not sent meanwhile`
      : `${what} sent in ${pairsWith} of ${counted(sentByPair.length, 'pair')}`,
  ];
}
