import type { Environment } from './schema.ts';

/**
 * Returns sentences on what the servers did not inherit of the user's environment, and on what
 * files may have added.
 */
export function environmentNotes({ variables: { removed, supplied } }: Environment): string[] {
  const notes: string[] = [];
  if (removed.length > 0)
    notes.push(
      `Taken out of the environment, unless a scenario sets it in its env: ${removed.join(', ')}.`,
    );
  if (supplied.length > 0)
    notes.push(`Supplied by .env files to all servers that read them: ${supplied.join(', ')}.`);
  return notes;
}
