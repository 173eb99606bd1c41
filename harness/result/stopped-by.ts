import type { Result } from './schema.ts';

/** Returns why a run was not measured to its end; null if it was, or if its time was over. */
export function stoppedByOf({
  stoppedBy,
  endedAt,
}: Pick<Result, 'stoppedBy' | 'endedAt'>): string | null {
  return stoppedBy ?? (endedAt === null ? 'it was killed, or still runs' : null);
}
