/**
 * Something the user can mend: shown as one line that names the cause and the remedy, without a stack trace.
 * Everything else that is thrown is a bug of the kit.
 */
export class Problem extends Error {
  constructor(
    cause: string,
    readonly remedy: string,
  ) {
    super(cause);
    this.name = 'Problem';
  }

  /** One line: the cause, then the remedy. */
  get summary(): string {
    return `${oneLine(this.message)}. ${oneLine(this.remedy)}`;
  }
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' | ').trim();
}
