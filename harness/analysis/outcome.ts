import type { Result } from '../result/schema.ts';
import { inRows, inRun, say } from './finding.ts';

export const stopped = inRun((result) => {
  const { stoppedBy, endedAt, pairs } = result;
  const isCut = stoppedBy !== null || (endedAt === null && pairs.length > 0);
  const reason = stoppedBy ?? 'it was killed, or still runs';
  return (
    isCut && say(`The run ended after ${pairs.length} of ${plannedPairs(result)} pairs: ${reason}`, 'Measure again')
  );
});

export function plannedPairs({ suite, configuration }: Result): number {
  return suite.tasks.reduce((count, { scenarios }) => count + scenarios.length * configuration.pairs, 0);
}

export const invalid = inRows(({ title, invalid: [first, ...others] }) => {
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  return first !== undefined && say(`${title} has no figures: ${first}${more}`, 'Fix what failed, and measure again');
});

export const inconsistent = inRows(
  ({ title, agreement }) =>
    agreement?.verdict === 'disagrees' &&
    say(
      `${title}: the change in ms is ${inMs(agreement.measuredUs)}, but CPU per request accounts for ${inMs(agreement.expectedUs)}`,
      'Look for what else delays answers, or measure more pairs (--pairs)',
    ),
);

function inMs(timeUs: number): string {
  return `${timeUs < 0 ? '-' : '+'}${Math.abs(timeUs / 1e3).toPrecision(2)} ms`;
}
