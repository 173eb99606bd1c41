import { constants } from 'node:fs';
import { appendFile, lstat, rename, rm } from 'node:fs/promises';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { toTimestamp } from './clock.ts';
import { ExportResultCode } from './core.ts';

export interface FileSpanExporterOptions {
  /** The file is made with mode 0600 if it is missing. If it is a symbolic link, it is not followed and exports fail. */
  path: string;
  /** A file that would become larger is renamed to `path.1`, and `path.1` to `path.2`. Default: 64 MiB. */
  maxBytes?: number;
  /** How many files there are at most, including the one being written. Default: 5. */
  maxFiles?: number;
}

/** Spans can hold personal data. So only the owner can read a new file, and a symbolic link is not followed. */
const appending = {
  mode: 0o600,
  flag: constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW,
};

/** How long the exporter works before it lets the server answer requests. */
const sliceMs = 2;

/** Appends spans to a file, one line of JSON for each. Requests are answered in between. */
export class FileSpanExporter implements SpanExporter {
  private readonly options: Required<FileSpanExporterOptions>;
  private size: number | undefined; // of the file; unknown before the first write and after a failed one
  private lastWrite: Promise<void> = Promise.resolve();

  /** @throws if `maxBytes` is not positive, or `maxFiles` no whole number above 0 */
  constructor({ path, maxBytes = 64 * 1024 * 1024, maxFiles = 5 }: FileSpanExporterOptions) {
    if (!(maxBytes > 0)) throw new Error(`maxBytes must be above 0, but is ${maxBytes}`);
    if (!Number.isSafeInteger(maxFiles) || maxFiles < 1)
      throw new Error(`maxFiles must be a whole number, 1 or more, but is ${maxFiles}`);
    this.options = { path, maxBytes, maxFiles };
  }

  /** Calls `done` when the spans are written, or with the error if they cannot be written. */
  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    this.lastWrite = this.lastWrite
      .then(() => this.write(spans))
      .then(
        () => done({ code: ExportResultCode.SUCCESS }),
        (error: Error) => {
          this.size = undefined;
          done({ code: ExportResultCode.FAILED, error });
        },
      );
  }

  /** Resolves when all spans exported so far are written. */
  shutdown(): Promise<void> {
    return this.lastWrite;
  }

  private async write(spans: ReadableSpan[]): Promise<void> {
    const { maxBytes } = this.options;
    let size = this.size ?? (await this.look());
    let lines = ''; // not written yet
    const append = async () => {
      if (lines !== '') await appendFile(this.options.path, lines, appending);
      lines = '';
    };
    let sliceEndMs = performance.now() + sliceMs;
    for (const span of spans) {
      const line = `${JSON.stringify(plain(span))}\n`;
      const bytes = Buffer.byteLength(line);
      if (size > 0 && size + bytes > maxBytes) {
        await append();
        await this.rotate();
        size = 0;
      }
      lines += line;
      size += bytes;
      if (performance.now() < sliceEndMs) continue;
      await append();
      await new Promise((resolve) => setImmediate(resolve));
      sliceEndMs = performance.now() + sliceMs;
    }
    await append();
    this.size = size;
  }

  /** Resolves with the size of the file, which ends with a whole line then. @throws if it is a symbolic link */
  private async look(): Promise<number> {
    const { path } = this.options;
    const stats = await lstat(path).catch(unlessMissing);
    if (stats?.isSymbolicLink()) throw new Error(`${path} is a symbolic link`);
    if (!stats?.size) return 0;
    // A full disk, or the end of a process, can leave a part of a line.
    if (
      (await Bun.file(path)
        .slice(stats.size - 1)
        .text()) === '\n'
    )
      return stats.size;
    await appendFile(path, '\n', appending);
    return stats.size + 1;
  }

  private async rotate(): Promise<void> {
    const { path, maxFiles } = this.options;
    const name = (index: number) => (index === 0 ? path : `${path}.${index}`);
    await rm(name(maxFiles - 1), { force: true });
    for (let index = maxFiles - 1; index > 0; index--) {
      await rename(name(index - 1), name(index)).catch(unlessMissing);
    }
  }
}

function plain(span: ReadableSpan): object {
  const { traceId, spanId } = span.spanContext();
  const { status } = span;
  return {
    traceId,
    spanId,
    parentSpanId: span.parentSpanContext?.spanId,
    name: span.name,
    kind: SpanKind[span.kind],
    startTime: toTimestamp(span.startTime),
    endTime: toTimestamp(span.endTime),
    status: { ...status, code: SpanStatusCode[status.code] },
    attributes: span.attributes,
    events: span.events.map((event) => ({ ...event, time: toTimestamp(event.time) })),
  };
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
