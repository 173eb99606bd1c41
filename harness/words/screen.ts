/** What text is laid out for: a terminal, or a file that is to look like one. */
export interface Screen {
  /** Whether somebody looks at it. */
  isTerminal: boolean;
  /** How many characters are beside each other. */
  columns: number;
  hasColors: boolean;
}

/** What terminals had before windows, and what a text in no terminal is made for. */
const USUAL_COLUMNS = 80;

/**
 * Returns what stdout shows.
 * @param color whether the user wants colours; if left out, the terminal and `NO_COLOR` decide
 */
export function screenOf(
  color: boolean | undefined,
  stream: NodeJS.WriteStream = process.stdout,
): Screen {
  const isTerminal = stream.isTTY === true;
  return {
    isTerminal,
    // A terminal that does not know its width says 0.
    columns: stream.columns || USUAL_COLUMNS,
    hasColors: color ?? (isTerminal && stream.hasColors()),
  };
}
