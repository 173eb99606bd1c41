import { sum } from 'simple-statistics';
import type { CoreUse, Loaded, Pair } from '../../result/schema.ts';
import { asPercent } from '../../words/units.ts';
import { type MeasuredRun, rowsWithNoiseFloor } from '../rows.ts';
import { slicesAtOnceOf } from '../slices.ts';
import { type Finding, finding } from './finding.ts';

export const QUIET_REMEDY = 'Stop what else runs, or measure on a dedicated machine';
/** With more of its time taken, a core makes other figures, and not only wider intervals. */
const MUCH = 0.1;
/** In so many slices it may be chance. */
const OFTEN = 0.05;

const OTHERS = ['other processes', 'the hypervisor'] as const;

/** A guest can stop nothing of what its hypervisor gives to others. */
const REMEDIES: Record<(typeof OTHERS)[number], string> = {
  'other processes': QUIET_REMEDY,
  'the hypervisor': 'Measure on a dedicated machine',
};

/**
 * What others took of the server's core in a slice, as shares of its time, in which the server also
 * came to rest.
 */
type TakenShares = Record<(typeof OTHERS)[number], number>;

/** Others that took the server's core while it was under load. */
export function findBusyMachine({ tasks }: MeasuredRun): Finding[] {
  const taken = tasks.flatMap(rowsWithNoiseFloor).flatMap((row) => row.pairs.flatMap(takenIn));
  return OTHERS.flatMap((who) => {
    const share = taken.filter((shares) => shares[who] > MUCH).length / taken.length;
    const places = `in ${asPercent(share)} of the slices`;
    const seen = `${places} ${who} took more than a tenth of the server's core`;
    const text = `Figures may be off by more than their intervals say: ${seen}`;
    return share > OFTEN ? [finding(text, REMEDIES[who])] : [];
  });
}

function takenIn(pair: Pair): TakenShares[] {
  const { alternating } = pair;
  return [
    ...alternating.flatMap(({ baseline, cores }) => takenShares(cores.baseline, [baseline]) ?? []),
    ...alternating.flatMap(({ scenario, cores }) => takenShares(cores.scenario, [scenario]) ?? []),
    ...slicesAtOnceOf(pair).flatMap(({ baseline, scenario, cores }) => {
      return takenShares(cores, [baseline, scenario]) ?? [];
    }),
  ];
}

/** Null if nothing watched the core, or if a load tool that failed made no load. */
function takenShares(cores: CoreUse | null, loaded: Loaded[]): TakenShares | null {
  if (!cores || loaded.every(({ seconds }) => seconds === 0)) return null;
  const { server, wallNs } = cores;
  // Without a clock for a server all of its core's time may be its own.
  const ownNs = sum(loaded.map(({ cpuNs }) => cpuNs ?? server.busyNs));
  return {
    'other processes': (server.busyNs - ownNs) / wallNs,
    'the hypervisor': server.stealNs / wallNs,
  };
}
