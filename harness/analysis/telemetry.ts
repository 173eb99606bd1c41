import { sum } from 'simple-statistics';
import { inRows, inRun, listed, mention, percent, warn } from './finding.ts';

/** If more spans were dropped, the level did less work than it claims. */
const DROPPED_SHARE = 0.001;

export const droppedSpans = inRows(({ title }, pairs) => {
  const counts = pairs.flatMap(({ usage }) => usage.scenario?.telemetry ?? []);
  const started = sum(counts.map(({ spansStarted }) => spansStarted));
  const share = sum(counts.map(({ spansDropped }) => spansDropped)) / started;
  return (
    share > DROPPED_SHARE &&
    warn(
      `${title} dropped ${percent(share)} of its spans, so it did less work than it claims`,
      'Use a larger buffer, or an exporter that keeps up',
    )
  );
});

export const unaccounted = inRows(({ title, scenario: name }, pairs, { proofs }) => {
  const isTracing = proofs.some(({ scenario, spans }) => scenario === name && spans > 0);
  const isUncounted = pairs.some(({ usage }) => !usage.scenario?.telemetry);
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
