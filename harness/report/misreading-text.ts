import {
  MISREADING_REMEDIES,
  type Misreading,
  type MisreadReason,
} from '../analysis/misreading.ts';

/** What a reason is called. */
interface ReasonTexts {
  /** Of the server whose cost it is. */
  own: string;
  /** Of the one that it is held against, which stands before it. */
  other: string;
}

const REASONS: Record<MisreadReason, ReasonTexts> = {
  'records-lost': {
    own: 'spans or log records were lost',
    other: 'lost spans or log records',
  },
  'work-put-off': {
    own: 'its server was still at work when the load had ended',
    other: 'was still at work when its load had ended',
  },
};

/** What a change is held against. */
const OLD_SERVER = 'the old server';

/** Returns why a figure says less than is true: `reads too low, since ...`. */
export function tooLowText(reason: MisreadReason): string {
  return `reads ${sinceOwn(reason)}`;
}

/**
 * Returns why a figure says more than is true: `reads too high, since ...`.
 * @param other what the server is called that it is held against
 */
export function tooHighText(reason: MisreadReason, other = OLD_SERVER): string {
  return `reads ${sinceOther(reason, other)}`;
}

/**
 * Returns why a change is not what it reads; empty if nothing says so.
 * @param other what the server is called that it is held against
 */
export function misreadingText(
  { tooLowBecause, tooHighBecause }: Misreading,
  other = OLD_SERVER,
): string {
  const reasons = [
    ...(tooLowBecause === null ? [] : [sinceOwn(tooLowBecause)]),
    ...(tooHighBecause === null ? [] : [sinceOther(tooHighBecause, other)]),
  ];
  return reasons.length === 0 ? '' : `reads ${reasons.join(', and ')}`;
}

/** Returns what to do about it. */
export function misreadingRemedy(reason: MisreadReason): string {
  return MISREADING_REMEDIES[reason];
}

function sinceOwn(reason: MisreadReason): string {
  return `too low, since ${REASONS[reason].own}`;
}

function sinceOther(reason: MisreadReason, other: string): string {
  return `too high, since ${other} ${REASONS[reason].other}`;
}
