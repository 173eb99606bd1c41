import type { Fault, Pair, Side } from '../result/schema.ts';
import { slicesOf, total } from './figures.ts';

export function isValid({ faults }: Pair): boolean {
  return faults.length === 0;
}

/**
 * The pair without slices in which a steady rate was not held: what they show is another load. Its faults are all that
 * speaks against it, those among them that only an analysis finds.
 */
export function cleaned(pair: Pair, baseline: string): Pair {
  const kept = {
    ...pair,
    alternating: pair.alternating.filter(({ late }) => late === null),
    duets: pair.duets.filter(({ late }) => late === null),
  };
  return {
    ...kept,
    usage: { baseline: usageIn(kept, pair, 'baseline'), scenario: usageIn(kept, pair, 'scenario') },
    faults: [
      ...pair.faults,
      ...serverFaults(pair, 'baseline', baseline),
      ...serverFaults(pair, 'scenario', pair.scenario),
      ...[pair.alternating, pair.duets].flatMap(rateFault),
    ],
  };
}

/** CPU times are those of all slices. The part that is left of them is that of the requests. */
function usageIn(kept: Pair, pair: Pair, side: Side): Pair['usage'][Side] {
  const { cpuUs, ...usage } = pair.usage[side];
  const part = total(slicesOf(kept), side, 'requests') / total(slicesOf(pair), side, 'requests');
  return { ...usage, cpuUs: cpuUs && { user: cpuUs.user * part, system: cpuUs.system * part } };
}

const aboutPair = { slice: null, count: 1 };

/** What a server must not do, whatever it costs: development mode, or exports that can't be counted. */
function serverFaults({ usage, exported }: Pair, side: Side, scenario: string): Fault[] {
  const probe = usage[side].probe;
  const detail = `NODE_ENV is ${probe?.mode ?? 'not set'}`;
  const sinkFault = exported[side]?.fault ?? null;
  return [
    ...(probe && probe.mode !== 'production' ? [{ what: 'development mode', detail, scenario, ...aboutPair }] : []),
    ...(sinkFault !== null ? [{ what: 'exports not counted', detail: sinkFault, scenario, ...aboutPair }] : []),
  ];
}

/** Of slices of one kind, if all were late. */
function rateFault(slices: { late: string | null }[]): Fault[] {
  const [first] = slices;
  const areLate = first?.late && slices.every(({ late }) => late !== null);
  return areLate ? [{ what: 'rate not held', detail: first.late ?? '', scenario: null, ...aboutPair }] : [];
}

/** Such as `requests failed (base, duet slice 1, 7 times): status 500`. */
export function faultText({ what, detail, scenario, slice, count }: Fault): string {
  const times = count > 1 ? `${count} times` : null;
  const where = [scenario, slice && `${slice.kind} slice ${slice.number}`, times].filter(Boolean).join(', ');
  return `${what}${where && ` (${where})`}${detail && `: ${detail}`}`;
}
