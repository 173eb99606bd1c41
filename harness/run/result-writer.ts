import { stampOf, writeResult } from '../result/file.ts';
import type { Result } from '../result/schema.ts';
import { Problem } from '../words/errors.ts';
import { removePath } from '../words/files.ts';

/**
 * Keeps the result of one run in one file, and tells that file from one that another run has put in
 * its place: two runs may be called with one name, and neither may lose what it has measured.
 */
export class ResultWriter {
  /** Undefined until a new run has saved its result. */
  private ownFile: string | undefined;
  /** The stamp of that file as this run read or wrote it; undefined if nobody knows. */
  private stamp: string | undefined;

  constructor(
    private readonly wantedFile: string,
    /** Returns a result as it may be published. */
    private readonly redacted: (result: Result) => Result,
  ) {}

  /** The file that holds what was saved; undefined if there is none yet. */
  get file(): string | undefined {
    return this.ownFile;
  }

  /**
   * Makes the wanted file, which holds the first part of this run, the one to write to.
   * @param stampAsRead its stamp as it was read; undefined if nobody knows
   * @throws Problem if another run has written to it since
   */
  goOn(stampAsRead: string | undefined): void {
    this.ownFile = this.wantedFile;
    this.stamp = stampAsRead;
    if (this.isOfAnotherRun())
      throw new Problem(
        `Another run writes to ${this.wantedFile}`,
        'Wait until it has ended, and then go on with it',
      );
  }

  /**
   * Writes the whole result, at first to a new file. If another run has written to it since, the
   * result goes into a file beside it, and only then that is told: nothing measured is lost.
   * @throws Problem if it can't be written, or if another run writes to the file
   */
  async save(result: Result): Promise<void> {
    const taken = this.isOfAnotherRun() ? this.ownFile : undefined;
    const isNew = this.ownFile === undefined || taken !== undefined;
    this.ownFile = writeResult(this.ownFile ?? this.wantedFile, this.redacted(result), isNew);
    this.stamp = stampOf(this.ownFile);
    if (taken !== undefined)
      throw new Problem(
        `Another run writes to ${taken}`,
        `What this one measured is in ${this.ownFile}`,
      );
  }

  /** Removes the file, unless it is that of another run by now. */
  discard(): void {
    if (this.ownFile !== undefined && !this.isOfAnotherRun()) removePath(this.ownFile);
  }

  private isOfAnotherRun(): boolean {
    if (this.ownFile === undefined) return false;
    const found = stampOf(this.ownFile);
    return this.stamp !== undefined && found !== undefined && found !== this.stamp;
  }
}
