/** Something that the user can fix. Everything else that is thrown is a bug of the kit. */
export class Problem extends Error {
  constructor(
    cause: string,
    readonly remedy: string,
  ) {
    super(cause);
    this.name = 'Problem';
  }
}

/** What is wrong with one scenario: `what` in a few words, and whatever more is known in `detail`. */
export class ScenarioProblem extends Problem {
  constructor(
    readonly scenario: string,
    readonly what: string,
    readonly detail: string,
    remedy: string,
  ) {
    super(`Scenario ${scenario} ${what}${detail && `: ${detail}`}`, remedy);
  }
}

/** Does work that can fail for the user's part. @throws Problem with what it was, why it failed, and the remedy. */
export async function orProblem<T>(work: () => T | Promise<T>, cause: string, remedy: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Problem(`${cause}: ${(error as Error).message}`, remedy);
  }
}

/** Cause and remedy in one line; undefined for a bug, which a full disk is not. */
export function problemLine(error: unknown): string | undefined {
  if (error instanceof Problem) return `${oneLine(error.message)}. ${oneLine(error.remedy)}.`;
  const { message = '', code } = (error ?? {}) as NodeJS.ErrnoException;
  const remedy = 'Free space there, or set $TMPDIR to a folder on another disk';
  return code === 'ENOSPC' ? `${oneLine(message)}. ${remedy}.` : undefined;
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' | ').trim();
}
