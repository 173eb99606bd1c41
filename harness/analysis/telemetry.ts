import { sum } from 'simple-statistics';
import { isCounted, receivedShare } from './figures.ts';
import { inRows, inRun, listed, mention, percent, warn } from './finding.ts';

/** If more spans were dropped, the level did less work than it claims. */
const DROPPED_SHARE = 0.001;

/** By the count of a sink if there is one: that holds for every SDK. Else by the server's own. */
export const droppedSpans = inRows(({ title }, pairs) => {
  const lost = 1 - receivedShare(pairs.map(({ exported }) => exported.scenario));
  const counts = pairs.flatMap(({ usage }) => usage.scenario?.telemetry ?? []);
  const started = sum(counts.map(({ spansStarted }) => spansStarted));
  const share = sum(counts.map(({ spansDropped }) => spansDropped)) / started;
  const say = (seen: string) =>
    warn(`${seen}, so it did less work than it claims`, 'Use a larger buffer, or an exporter that keeps up');
  if (lost > DROPPED_SHARE) return say(`${percent(lost)} of the spans of ${title} never arrived`);
  return share > DROPPED_SHARE && say(`${title} dropped ${percent(share)} of its spans`);
});

export const sinkFault = inRows(({ title }, pairs) => {
  const faults = pairs.flatMap(({ exported }) => exported.scenario?.fault ?? exported.baseline?.fault ?? []);
  return (
    faults.length > 0 &&
    warn(
      `${title}: what was exported could not be counted in ${faults.length} of ${pairs.length} pairs: ${faults[0]}`,
      'Look at what the server sends, and measure again',
    )
  );
});

export const unaccounted = inRows(({ title, scenario: name }, pairs, { proofs }) => {
  const isTracing = proofs.some(({ scenario, spans }) => scenario === name && spans > 0);
  const isUncounted = pairs.some(({ usage, exported }) => !usage.scenario?.telemetry && !isCounted(exported.scenario));
  return (
    isTracing &&
    isUncounted &&
    mention(`${title} does not say how many spans it exported and dropped`, 'Let it count them (docs/suites.md)')
  );
});

export const unproven = inRun(({ suite, proofs, pairs }) => {
  const isIn = (list: { scenario: string }[], name: string) => list.some(({ scenario }) => scenario === name);
  const silent = suite.scenarios.filter(({ name }) => isIn(pairs, name) && !isIn(proofs, name));
  const titles = listed(silent.map(({ title }) => title));
  return (
    suite.isInstrumentation &&
    silent.length > 0 &&
    mention(`Nothing proves what ${titles} recorded`, 'Declare its telemetry in the suite (docs/suites.md)')
  );
});
