import { z } from 'zod';

/** Each kind of thing that makes a number wrong or weak: docs/verdicts.md has them all. */
const VERDICT_KINDS = [
  'invalid',
  'unproven',
  'unaccounted',
  'dropped-spans',
  'tool-bottleneck',
  'unsaturated',
  'other-load',
  'steal',
  'drift',
  'unpinned',
  'frequency-scaling',
  'development-mode',
  'debug-build',
  'mixed-runtimes',
  'fixed-rate',
  'within-noise',
  'inconsistent',
  'quick',
] as const;

export const verdictSchema = z.object({
  kind: z.enum(VERDICT_KINDS),
  /** Null where it is about all of them. */
  task: z.string().nullable().default(null),
  /** Null where it is about the whole run, or the whole task. */
  scenario: z.string().nullable(),
  /** What was seen, as a sentence without its full stop. */
  message: z.string(),
  /** What to do about it. */
  remedy: z.string(),
});

export type Verdict = z.output<typeof verdictSchema>;
export type VerdictKind = Verdict['kind'];
