/** The words as a POSIX shell reads them back, quoted only if needed. Bun's `$.escape` leaves `*` and `~` to the shell. */
export function shellWords(argv: string[]): string {
  return argv.map(shellWord).join(' ');
}

/** One of them. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
