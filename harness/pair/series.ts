import { type Fault, faultOf } from '../result/faults.ts';
import type { AlternatingSlice } from '../result/schema.ts';
import type { UsageMeter } from './usage.ts';

/** A busy machine may keep a rate from being held for a second. */
const MAX_BELOW_RATE = 2;

/** What a slice of any kind tells of its steady rate. */
type RatedSlice = Pick<AlternatingSlice, 'rateShortfall'>;

/** One slice of any kind, and what went wrong in it. */
export interface MeasuredSlice<Slice> {
  slice: Slice;
  faults: Fault[];
}

/** The slices of one kind, and what went wrong in them. */
export interface Series<Slice> {
  slices: Slice[];
  faults: Fault[];
}

/** Which slices are measured in a series. */
export interface SeriesSettings {
  kind: NonNullable<Fault['slice']>['kind'];
  /** How many of them, if nothing goes wrong. */
  length: number;
  /**
   * Whether the rate was held before; true if left out. If not, first slices that don't hold it end
   * the series: a load tool opens more and more connections to a server that falls behind, until
   * none is left for the other one.
   */
  wasRateHeld?: boolean;
}

/**
 * Measures slices of one kind. It ends after a slice in which something went wrong: the pair is not
 * to be believed then, whatever comes later.
 */
export async function measureSeries<Slice extends RatedSlice>(
  meter: UsageMeter,
  { kind, length, wasRateHeld = true }: SeriesSettings,
  measureSlice: (index: number) => Promise<MeasuredSlice<Slice>>,
): Promise<Series<Slice>> {
  const slices: Slice[] = [];
  const faults: Fault[] = [];
  const isTooFast = () => !wasRateHeld && slices.length >= MAX_BELOW_RATE && isNeverHeld(slices);
  while (slices.length < length && faults.length === 0 && !isTooFast()) {
    const measured = await measureSlice(slices.length);
    slices.push(measured.slice);
    const slice = { kind, number: slices.length };
    faults.push(...measured.faults.map((fault) => ({ ...fault, slice })));
    meter.readMemory();
  }
  return { slices, faults: [...faults, ...rateFaults(slices)] };
}

/** Returns the fault of a series in which no slice held the rate. */
function rateFaults(slices: readonly RatedSlice[]): Fault[] {
  const firstShortfall = slices[0]?.rateShortfall;
  return firstShortfall && isNeverHeld(slices) ? [faultOf('rate-not-held', firstShortfall)] : [];
}

function isNeverHeld(slices: readonly RatedSlice[]): boolean {
  return slices.every(({ rateShortfall }) => rateShortfall !== null);
}
