import { z } from 'zod';

/**
 * The words in which reports name each kind of fault. To add a kind, add a line here and one to
 * `REMEDIES`; `faultOf` makes one, where it is seen: most in `pair/under-load.ts`.
 */
const FAULTS = {
  'server-ended': 'the server ended',
  'out-of-memory': 'out of memory',
  'process-ended': 'a process ended',
  'process-not-counted': 'a process was not counted',
  'load-tool-failed': 'the load tool failed',
  'limit-reached': 'a limit was reached',
  'no-answer': 'no request was answered',
  'answer-missing': 'a request was never answered',
  'requests-failed': 'requests failed',
  'connections-closed': 'connections were closed',
  'rate-not-held': 'rate not held',
  'development-mode': 'development mode',
  'wrong-answer-under-load': 'wrong answer under load',
  'wrong-answer-afterwards': 'wrong answer afterwards',
  'exports-not-counted': 'exports not counted',
  'spans-arrived': 'spans arrived',
  'no-span-arrived': 'no span arrived',
} as const;

/** What a user does next about each kind of fault. */
const REMEDIES: Record<FaultKind, string> = {
  'server-ended':
    'See by its last words and its status why it ends under load; if the load is too much for it, ' +
    'use a lower --rate or fewer --connections',
  'out-of-memory':
    'Give the container more memory (docker run --memory, or limits.memory), or see by soak whether ' +
    'that of the server grows',
  'process-ended': 'Keep all its processes running while it is under load',
  'process-not-counted':
    'Let it start its processes as its children, and not in the background (nohup, setsid)',
  'load-tool-failed':
    'See by its words why; use fewer --connections or another --tool, or give the container more ' +
    'memory',
  'limit-reached': 'Do that, and measure again',
  'no-answer':
    'Start it by hand, send it the load (--dry-run prints both commands), and see what it waits for',
  'answer-missing':
    'Send it that load by hand (--dry-run prints both commands), and see which request waits, and ' +
    'for what',
  'requests-failed':
    'Send it that load by hand (--dry-run prints both commands) and see why, or load it less ' +
    '(--rate, --connections)',
  'connections-closed':
    'Let the server answer each request, or announce the close ("Connection: close")',
  'rate-not-held': 'Use a lower --rate',
  'development-mode': 'Set NODE_ENV to production in its "env"',
  'wrong-answer-under-load':
    'See what it prints under load; if a right answer may look like that, leave that part out of ' +
    'the "answer" in the suite',
  'wrong-answer-afterwards':
    'See what its requests change; if a right answer may look like that, leave that part out of ' +
    'the "answer" in the suite',
  'exports-not-counted':
    'Let it export by a protocol that tracetax reads: the command prove prints what arrives. ' +
    'If the sink ended or did not answer, memory or time was short: measure again on a larger ' +
    'machine',
  'spans-arrived': 'Switch its tracer off, or declare in the suite what it records ("telemetry")',
  'no-span-arrived':
    'Switch its tracer on, and let it send to {sink}: the command prove prints what arrives',
};

/** What a user does next about a fault of an older file, which is known by its words alone. */
const OTHER_REMEDY = 'Measure again, and do what that run says if it fails alike';

/** What can go wrong with a pair. Code decides by the kind, and never by its words. */
export type FaultKind = keyof typeof FAULTS;

const FAULT_KINDS = Object.keys(FAULTS) as [FaultKind, ...FaultKind[]];

/** One reason why something has no figures. */
export const reasonSchema = z.object({
  /** Stands in the cell of a table, so it has a few words. */
  what: z.string(),
  /** Tells whatever more is known, such as a program's own words; or is empty. */
  detail: z.string(),
  /** Names the server that the reason is about; null if it is about both. */
  scenario: z.string().nullable(),
  /** Counts slices of a kind from 1 on; null for what is about the pair as a whole. */
  slice: z
    .object({
      kind: z.enum(['warm-up', 'alternating', 'duet', 'turns']),
      number: z.int().nonnegative(),
    })
    .nullable(),
  count: z.int().nonnegative(),
});

/** Why a pair is not to be believed. `other`: an older file has it in words of no kind. */
const knownFaultSchema = reasonSchema.extend({ kind: z.enum([...FAULT_KINDS, 'other']) });

/** A fault as files have it. In older files faults have no kind, and get it from their words. */
export const faultSchema = z.codec(knownFaultSchema.partial({ kind: true }), knownFaultSchema, {
  decode: (fault) => ({ ...fault, kind: fault.kind ?? kindOfWords(fault.what) }),
  encode: (fault) => fault,
});

export type Reason = z.output<typeof reasonSchema>;
export type Fault = z.output<typeof faultSchema>;

function kindOfWords(what: string): FaultKind | 'other' {
  return FAULT_KINDS.find((kind) => FAULTS[kind] === what) ?? 'other';
}

/**
 * Returns a fault of this kind, of no slice: who loads slice by slice adds the one in which it was
 * seen.
 * @param detail whatever more is known, such as a program's own words
 * @param scenario the server that it is about; null if it is about both
 * @param count how often it happened
 */
export function faultOf(
  kind: FaultKind,
  detail = '',
  scenario: string | null = null,
  count = 1,
): Fault {
  return { kind, ...reasonOf(FAULTS[kind], detail, scenario), count };
}

/** Returns what a user does next about a fault of this kind. */
export function remedyOf(kind: Fault['kind']): string {
  return kind === 'other' ? OTHER_REMEDY : REMEDIES[kind];
}

/**
 * Returns a reason as text, such as `requests failed (base, duet slice 1, 7 times): status 500`.
 */
export function faultText({ what, detail, scenario, slice, count }: Reason): string {
  const place = slice && `${slice.kind} slice ${slice.number}`;
  const times = count > 1 ? `${count} times` : null;
  const about = [scenario, place, times].filter(Boolean).join(', ');
  return `${what}${about && ` (${about})`}${detail && `: ${detail}`}`;
}

/** Returns why something is not measured at all. */
export function reasonOf(what: string, detail = '', scenario: string | null = null): Reason {
  return { what, detail, scenario, slice: null, count: 1 };
}
