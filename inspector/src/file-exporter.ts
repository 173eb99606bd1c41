import { appendFile, rename, rm, stat } from 'node:fs/promises';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { ExportResultCode, hrTimeToTimeStamp } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from './sdk.ts';
import { WorkSlice } from './work-slice.ts';

export interface FileSpanExporterOptions {
  path: string;
  /** A file that would grow beyond this becomes `path.1`, and that `path.2`; default 64 MiB. */
  maxBytes?: number;
  /** How many files there are at most, the one being written included; default 5. */
  maxFiles?: number;
}

/** Appends spans to a file, as one line of JSON each, without holding up the event loop. */
export class FileSpanExporter implements SpanExporter {
  private readonly path: string;
  private readonly maxBytes: number;
  private readonly maxFiles: number;
  private size: number | undefined; // unknown before the first write, and after one that failed
  private lastWrite: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor({ path, maxBytes = 64 * 1024 * 1024, maxFiles = 5 }: FileSpanExporterOptions) {
    if (!(maxBytes > 0 && maxFiles >= 1)) throw new Error('maxBytes and maxFiles must be positive');
    this.path = path;
    this.maxBytes = maxBytes;
    this.maxFiles = maxFiles;
  }

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    if (this.isClosed) {
      done({ code: ExportResultCode.FAILED, error: new Error('The exporter was shut down') });
      return;
    }
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

  forceFlush(): Promise<void> {
    return this.lastWrite;
  }

  shutdown(): Promise<void> {
    this.isClosed = true;
    return this.lastWrite;
  }

  private async write(spans: ReadableSpan[]): Promise<void> {
    const slice = new WorkSlice();
    let size = this.size ?? (await sizeOf(this.path));
    let lines = '';
    const append = async () => {
      if (lines !== '') await appendFile(this.path, lines);
      lines = '';
      this.size = size;
    };
    for (const span of spans) {
      const line = `${JSON.stringify(plain(span))}\n`;
      const bytes = Buffer.byteLength(line);
      if (size > 0 && size + bytes > this.maxBytes) {
        await append();
        await this.rotate();
        size = 0;
      }
      lines += line;
      size += bytes;
      if (!slice.isOver) continue;
      await append();
      await slice.next();
    }
    await append();
  }

  private async rotate(): Promise<void> {
    const name = (index: number) => (index === 0 ? this.path : `${this.path}.${index}`);
    await rm(name(this.maxFiles - 1), { force: true });
    for (let index = this.maxFiles - 1; index > 0; index--) {
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
    startTime: hrTimeToTimeStamp(span.startTime),
    endTime: hrTimeToTimeStamp(span.endTime),
    status: { ...status, code: SpanStatusCode[status.code] },
    attributes: span.attributes,
    events: span.events.map((event) => ({ ...event, time: hrTimeToTimeStamp(event.time) })),
  };
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(unlessMissing))?.size ?? 0;
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
