import { ZodError, z } from 'zod';

/** Something that the user can fix. Everything else that is thrown is a bug of tracetax. */
export class Problem extends Error {
  constructor(
    cause: string,
    readonly remedy: string,
    /** For the user's terminal alone: no file may keep it. */
    readonly shown = '',
  ) {
    super(cause);
  }
}

/** What is wrong with one scenario: `what` in a few words, and whatever more is known in `detail`. */
export class ScenarioProblem extends Problem {
  constructor(
    readonly scenario: string,
    readonly what: string,
    readonly detail: string,
    remedy: string,
    shown?: string,
  ) {
    super(`Scenario ${scenario} ${what}${detail && `: ${detail}`}`, remedy, shown);
  }
}

/** Does work that can fail for the user's part, now or later. @throws Problem with what it was, why it failed, and the remedy. */
export function orProblem<T>(work: () => T, cause: string, remedy: string): T {
  const failed = (error: unknown): never => {
    // Of data, the first thing that is wrong. A suite may throw what is no error.
    const issue =
      error instanceof ZodError && z.prettifyError({ issues: error.issues.slice(0, 1) });
    throw new Problem(
      `${cause}: ${issue || String(error instanceof Error ? error.message : error)}`,
      remedy,
    );
  };
  try {
    const done: unknown = work();
    return (done instanceof Promise ? done.catch(failed) : done) as T;
  } catch (error) {
    return failed(error);
  }
}

/** What the work returns; undefined if it throws, as what is read may not be there, or a process may just have ended. */
export function orUndefined<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Cause and remedy in one line; undefined for a bug, which a full disk or a folder that can't be written is not. */
export function problemLine(error: unknown): string | undefined {
  if (error instanceof Problem)
    return `${oneLine(error.message + error.shown)}. ${oneLine(error.remedy)}.`;
  const {
    message = '',
    code,
    path = code === 'ENOSPC' ? '' : undefined,
  } = (error ?? {}) as NodeJS.ErrnoException;
  const remedy = 'Make room there and let it be written, or set $TMPDIR to another folder';
  return path === undefined ? undefined : `${oneLine(message)}. ${remedy}.`;
}

/** What went wrong first, and not while that was cleaned up after. */
export function firstError(error: unknown): unknown {
  return error instanceof SuppressedError ? firstError(error.suppressed) : error;
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' | ').trim();
}
