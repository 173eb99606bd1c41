import type { Run } from '../../analysis/analysis.ts';

const SHORT_COMMIT = 7;

/** Returns the day on which a run began. */
export function dateOf({ header }: Run): string {
  return header.startedAt.slice(0, 10);
}

/** Returns the commit of a run as far as it is usually shown; empty without git. */
export function shortCommitOf({ header }: Run): string {
  return (header.environment.gitRevision ?? '').slice(0, SHORT_COMMIT);
}

/**
 * Returns a name for each run: `2026-11-02 90c8d32`, with `-dirty` if files were changed. Runs that
 * would have the same have their time, too.
 */
export function runLabels(runs: readonly Run[]): string[] {
  const names = runs.map((run) => nameOf(run, dateOf(run)));
  return names.map((name, at) => {
    const isUnique = names.indexOf(name) === names.lastIndexOf(name);
    const run = runs[at];
    return isUnique || run === undefined ? name : nameOf(run, `${dateOf(run)} ${timeOf(run)}`);
  });
}

function nameOf(run: Run, when: string): string {
  const isDirty = run.header.environment.gitRevision?.endsWith('-dirty') ?? false;
  const commit = shortCommitOf(run) + (isDirty ? '-dirty' : '');
  return commit === '' ? when : `${when} ${commit}`;
}

function timeOf({ header }: Run): string {
  return header.startedAt.slice(11, 16);
}
