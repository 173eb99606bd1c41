import type { Environment, Result } from '../result/schema.ts';

/** What a result says of cores that sleep while they have nothing to do. */
export type IdleCoreFacts = Pick<Result, 'keepAwake' | 'pinning'> & {
  environment: Pick<Environment, 'cpuidleDriver' | 'wakeUp'>;
};

/**
 * Returns whether idle cores slept that could be kept awake. Where nothing could keep them awake,
 * they were as awake as can be. Whether it was seen to help is another matter: noise may hide it.
 */
export function idleCores(header: IdleCoreFacts): 'asleep' | 'as awake as can be' {
  return keepAwakeRemedy(header) === null ? 'as awake as can be' : 'asleep';
}

/**
 * Returns how idle cores can be kept awake that were not; null if nobody knows a way that helps.
 */
export function keepAwakeRemedy({ environment, keepAwake, pinning }: IdleCoreFacts): string | null {
  const { cpuidleDriver, wakeUp } = environment;
  const isWithoutNeed = 'how' in keepAwake || 'missing' in pinning || cpuidleDriver === null;
  if (isWithoutNeed || wakeUp?.held) return null;
  // They were kept awake then, too.
  if (keepAwake.reason === 'not-measured') return null;
  const rule = 'KERNEL=="cpu_dma_latency", MODE="0660", GROUP="bench"';
  return `Run as root, without --no-keep-awake, or add a udev rule for a group of yours: ${rule}`;
}
