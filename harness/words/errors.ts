import { ZodError } from 'zod';
import { issuesText } from './issues.ts';

/**
 * Keeps all that a program said for the user, once its error is printed. Returns where, to follow
 * that: `; all that it said is in FILE`; empty if there is no more than what was quoted.
 */
export type KeepOutput = () => string;

/** Something that the user can fix. Everything else that is thrown is a bug of tracetax. */
export class Problem extends Error {
  constructor(
    cause: string,
    readonly remedy: string,
    /** More of the cause, for the user's terminal alone: no file may keep it. */
    readonly shown = '',
    readonly keepOutput: KeepOutput = () => '',
  ) {
    super(cause);
  }
}

/** Something that the user can fix, and that one scenario has. */
export class ScenarioProblem extends Problem {
  constructor(
    readonly scenario: string,
    /** What is wrong, in a few words. */
    readonly what: string,
    /** Whatever more is known, or empty. */
    readonly detail: string,
    remedy: string,
    shown?: string,
    keepOutput?: KeepOutput,
  ) {
    super(`Scenario ${scenario} ${what}${detail && `: ${detail}`}`, remedy, shown, keepOutput);
  }
}

/**
 * Returns what the work returns, which may be a promise. @throws Problem with what failed, why, and
 * the remedy, if the work fails, now or later
 */
export function orProblem<T>(work: () => T, cause: string, remedy: string): T {
  const fail = (error: unknown): never => {
    throw new Problem(`${cause}: ${reasonOf(error)}`, remedy);
  };
  try {
    const result: unknown = work();
    return (result instanceof Promise ? result.catch(fail) : result) as T;
  } catch (error) {
    return fail(error);
  }
}

/**
 * Returns why something failed: of data, the first thing that is wrong. A suite may throw what is
 * no error.
 */
function reasonOf(error: unknown): string {
  const issue = error instanceof ZodError && issuesText({ issues: error.issues.slice(0, 1) });
  return issue || String(error instanceof Error ? error.message : error);
}

/**
 * Returns what the work returns; undefined if it throws: a file may not be there, or a process may
 * just have ended.
 */
export function orUndefined<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/**
 * Returns cause and remedy in one line; undefined for a bug of tracetax. A full disk is none, nor
 * is a file or a folder that the system refuses.
 */
export function problemLine(error: unknown): string | undefined {
  if (error instanceof Problem) {
    const cause = error.message + error.shown + error.keepOutput();
    return `${oneLine(cause)}. ${oneLine(error.remedy)}.`;
  }
  if (!isOfFiles(error)) return undefined;
  const { message = '' } = error as NodeJS.ErrnoException;
  const remedy = 'Make room there and let it be written, or set $TMPDIR to another folder';
  return `${oneLine(message)}. ${remedy}.`;
}

/** Returns whether the user can fix it: it is no bug of tracetax. */
export function isProblem(error: unknown): boolean {
  return error instanceof Problem || isOfFiles(error);
}

/** Returns whether a disk is full, or the system refuses a file. */
function isOfFiles(error: unknown): boolean {
  const { code, path } = (error ?? {}) as NodeJS.ErrnoException;
  return path !== undefined || code === 'ENOSPC';
}

/** Returns what went wrong first, in place of what failed while that was cleaned up after. */
export function firstError(error: unknown): unknown {
  return error instanceof SuppressedError ? firstError(error.suppressed) : error;
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' | ').trim();
}
